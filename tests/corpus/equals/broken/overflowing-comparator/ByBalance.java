package bank;

import java.util.Comparator;

public class ByBalance implements Comparator<ByBalance.Account> {
    public record Account(int cents) {}

    @Override
    public int compare(Account a, Account b) {
        return b.cents() - a.cents();
    }
}
