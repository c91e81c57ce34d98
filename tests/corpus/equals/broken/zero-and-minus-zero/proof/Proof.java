import math.Complex;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Complex(0.0, 1), new Complex(-0.0, 1), new Complex(Double.NaN, 1), new Complex(1, Double.NaN), new Complex(1, 1));
    }
}
