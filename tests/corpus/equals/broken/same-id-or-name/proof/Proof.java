import crm.Account;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Account(1, "a"), new Account(1, "b"), new Account(2, "b"), new Account(3, null));
    }
}
