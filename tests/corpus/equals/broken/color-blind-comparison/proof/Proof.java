import draw.Painted;
import draw.Shape;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Painted(1, "red"), new Shape(1), new Painted(1, "blue"), new Painted(2, null));
    }
}
