import lab.Temperature;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Temperature(Double.NaN), new Temperature(0), new Temperature(-0.0), new Temperature(0.04), new Temperature(0.06),
                new Temperature(1e300), new Temperature(Double.POSITIVE_INFINITY), new Temperature(-1e300), new Temperature(0.1),
                new Temperature(-0.05), new Temperature(0.05));
    }
}
