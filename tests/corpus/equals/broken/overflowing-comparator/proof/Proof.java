import bank.ByBalance;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.comparator(new ByBalance(), new ByBalance.Account(Integer.MIN_VALUE), new ByBalance.Account(0), new ByBalance.Account(Integer.MAX_VALUE),
                new ByBalance.Account(1), new ByBalance.Account(-2));
    }
}
