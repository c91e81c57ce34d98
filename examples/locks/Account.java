package bank;

/** An account whose transfers reach the other side while both are locked. */
public class Account {
    private long balance;

    public synchronized void deposit(long amount) {
        balance += amount;
    }

    public synchronized void transferTo(Account other, long amount) {
        if (balance < amount) {
            throw new IllegalStateException("balance");
        }
        balance -= amount;
        other.deposit(amount);
    }
}
