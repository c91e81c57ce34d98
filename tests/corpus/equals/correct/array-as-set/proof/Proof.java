import label.Tags;
import support.Contract;

public class Proof {
    static Tags of(String... names) {
        Tags t = new Tags();
        for (String n : names) {
            t.add(n);
        }
        return t;
    }

    public static void main(String[] args) {
        Contract.judge(of(), of("a", "b"), of("b", "a", "a"), of("a"), of("a", null), of("Aa"), of("BB"), of("a", "b", "c"));
    }
}
