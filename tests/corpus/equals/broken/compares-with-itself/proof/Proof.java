import support.Contract;
import xs.XDouble;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new XDouble(0.0), new XDouble(-0.0), new XDouble(Double.NaN), new XDouble(Double.NaN), new XDouble(1));
    }
}
