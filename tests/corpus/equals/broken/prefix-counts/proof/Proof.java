import call.Phone;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Phone("030123"), new Phone("123"), new Phone("040123"), new Phone("3"));
    }
}
