import money.Amount;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Amount("1.0", null), new Amount("1.00", "EUR"), new Amount("1", "USD"), new Amount("0.0", null),
                new Amount("0e10", null), new Amount("-0", null), new Amount("100", null), new Amount("1e2", null), new Amount("-1.50", null));
    }
}
