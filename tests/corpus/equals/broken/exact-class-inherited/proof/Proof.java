import bank.Account;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Account(1), new Account.Savings(1, 2), new Account.Savings(1, 2), new Account(2));
    }
}
