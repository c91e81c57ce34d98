import draw.ColorPoint;
import draw.Point;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Point(1, 2), new ColorPoint(1, 2, 3), new ColorPoint(1, 2, 4), new Point(2, 2));
    }
}
