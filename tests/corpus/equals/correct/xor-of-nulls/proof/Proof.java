import people.Address;
import support.Contract;

public class Proof {
    static Address of(String s, String c, Integer n) {
        Address a = new Address();
        a.setStreet(s);
        a.setCity(c);
        a.setNumber(n);
        return a;
    }

    public static void main(String[] args) {
        Contract.judge(of(null, null, null), of("a", null, 1), of(null, "a", 1), of("a", "b", null), of("a", "b", 1000),
                of("a", "b", 1000), of("a", null, 1), of(null, null, 1), of(null, null, null));
    }
}
