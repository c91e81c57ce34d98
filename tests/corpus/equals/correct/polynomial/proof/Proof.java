import math.Poly;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Poly(), new Poly(0, 0), new Poly(1), new Poly(1, 0), new Poly(Integer.MIN_VALUE, 1), new Poly(Integer.MAX_VALUE, 1),
                new Poly(0, 1), new Poly(-1), new Poly(1, 1, 0));
    }
}
