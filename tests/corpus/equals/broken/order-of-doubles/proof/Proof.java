import rank.Weighted;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Weighted(1), new Weighted(Double.NaN), new Weighted(2), new Weighted(0.0), new Weighted(-0.0));
    }
}
