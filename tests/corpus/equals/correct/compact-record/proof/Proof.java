import geom.Segment;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Segment(1, 2), new Segment(2, 1), new Segment(0, 0), new Segment(Integer.MIN_VALUE, Integer.MAX_VALUE),
                new Segment(Integer.MAX_VALUE, Integer.MIN_VALUE), new Segment(-1, 1));
    }
}
