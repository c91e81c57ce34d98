import acct.Ledger;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Ledger a = new Ledger();
        Ledger b = new Ledger();
        Contract.judge(a, b, a.enter(1), a.enter(1), b.enter(1), a.enter(2));
    }
}
