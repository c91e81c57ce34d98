import idx.SegmentInfo;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new SegmentInfo("a"), new SegmentInfo(null));
    }
}
