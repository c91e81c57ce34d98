import idx.Segment;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Segment("a", 1), new Segment("a", 1), new Segment(null, 1), new Segment("null", 1), new Segment("", 0));
    }
}
