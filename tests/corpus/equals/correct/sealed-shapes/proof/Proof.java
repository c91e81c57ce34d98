import geom.Shape;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Shape.Circle(1), new Shape.Circle(1), new Shape.Box(1, 1), new Shape.Box(1, 2), new Shape.Box(1, 1),
                new Shape.Empty(), new Shape.Empty(), new Shape.Circle(0), new Shape.Box(0, 0));
    }
}
