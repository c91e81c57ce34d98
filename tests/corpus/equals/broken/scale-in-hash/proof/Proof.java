import java.math.BigDecimal;
import money.Rate;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Rate(new BigDecimal("1"), "a"), new Rate(new BigDecimal("1.0"), "a"), new Rate(BigDecimal.TEN, null));
    }
}
