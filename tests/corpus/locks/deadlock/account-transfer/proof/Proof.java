import bank.Account;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Account a = new Account("a", 1_000_000_000L);
        Account b = new Account("b", 1_000_000_000L);
        Race.loop(() -> a.transferTo(b, 1), () -> b.transferTo(a, 1));
    }
}
