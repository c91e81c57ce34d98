import support.Contract;
import tcp.Sequence;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Sequence(0), new Sequence(Integer.MIN_VALUE), new Sequence(Integer.MAX_VALUE), new Sequence(-2), new Sequence(5));
    }
}
