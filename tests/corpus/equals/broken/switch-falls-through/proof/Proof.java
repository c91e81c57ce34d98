import geom.Shape2;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Shape2("circle", 1, 2), new Shape2("square", 0, 2), new Shape2("x", 1, 2), new Shape2("square", 5, 2), new Shape2("circle", 1, 3),
                new Shape2(null, 0, 0));
    }
}
