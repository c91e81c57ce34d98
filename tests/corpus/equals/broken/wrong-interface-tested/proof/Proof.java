import attr.PayloadAttribute;
import attr.Token;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new PayloadAttribute((byte) 1), new Token((byte) 1), new PayloadAttribute((byte[]) null), new PayloadAttribute((byte) 1));
    }
}
