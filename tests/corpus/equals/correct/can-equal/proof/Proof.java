import draw.ColorPoint;
import draw.LabelledPoint;
import draw.Point;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Point(1, 2), new Point(1, 2), new ColorPoint(1, 2, "red"), new ColorPoint(1, 2, null),
                new ColorPoint(1, 2, "blue"), new LabelledPoint(1, 2, "a"), new LabelledPoint(1, 2, "b"), new Point(2, 1));
    }
}
