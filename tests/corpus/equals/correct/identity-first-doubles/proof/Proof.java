import lab.Sample;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Sample(Double.NaN, 1), new Sample(Double.NaN, 1), new Sample(0.0, 1), new Sample(-0.0, 1), new Sample(1, 1),
                new Sample(1, 1), new Sample(1, 1L << 32 | 1));
    }
}
