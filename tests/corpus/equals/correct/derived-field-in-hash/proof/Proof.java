import draw.Rectangle;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Rectangle(1, 2), new Rectangle(1, 2), new Rectangle(2, 1), new Rectangle(-1, -2),
                new Rectangle(Integer.MIN_VALUE, Integer.MIN_VALUE), new Rectangle(Integer.MIN_VALUE, Integer.MIN_VALUE));
    }
}
