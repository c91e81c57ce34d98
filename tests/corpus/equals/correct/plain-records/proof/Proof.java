import lab.Measure;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Measure("m", Double.NaN), new Measure("m", Double.NaN), new Measure("m", 0.0), new Measure("m", -0.0),
                new Measure("m", 1, Float.NaN, null), new Measure("m", 1, Float.NaN, null), new Measure(null, 2).next(3),
                new Measure(null, 2).next(3), new Measure("m", 1));
    }
}
