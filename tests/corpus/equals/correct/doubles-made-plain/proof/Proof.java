import shop.Price;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Price(0.0), new Price(-0.0), new Price(1), new Price(1), new Price(Double.NEGATIVE_INFINITY),
                new Price(Double.POSITIVE_INFINITY), new Price(Double.MIN_VALUE), new Price(-1));
    }
}
