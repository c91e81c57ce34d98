import geom.Quad;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Quad.Square(1), new Quad.Box(1, 1), new Quad.Box(1, 2), new Quad.Square(2));
    }
}
