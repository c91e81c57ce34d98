import bits.BitString;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new BitString().set(1, true), new BitString().set(1, true).set(40, false), new BitString());
    }
}
