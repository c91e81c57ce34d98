import math.Matrix;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Matrix(2, 2), new Matrix(2, 2).set(0, 1, 5), new Matrix(2, 2).set(0, 1, 5), new Matrix(0, 0), new Matrix(0, 5),
                new Matrix(1, 0), new Matrix(1, 0).label(0, "a", null), new Matrix(1, 0).label(0, "a", null), new Matrix(1, 0).label(0));
    }
}
