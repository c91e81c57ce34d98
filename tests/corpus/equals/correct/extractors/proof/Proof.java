import lambda.Record3;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Record3("a", 1, 1.0, "x"), new Record3("a", 1, 1.0, "y"), new Record3(null, 1, null, null),
                new Record3(null, 1, null, "z"), new Record3("a", 1, 0.0, null), new Record3("a", 1, -0.0, null),
                new Record3("a", 1, Double.NaN, null), new Record3("a", 1, Double.NaN, ""));
    }
}
