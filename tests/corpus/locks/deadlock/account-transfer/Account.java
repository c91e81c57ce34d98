package bank;

public class Account {
    private final String owner;
    private long cents;
    private int movements;

    public Account(String owner, long cents) {
        this.owner = owner;
        this.cents = cents;
    }

    public synchronized long balance() {
        return cents;
    }

    public String owner() {
        return owner;
    }

    private synchronized void deposit(long amount) {
        cents += amount;
        movements++;
    }

    public synchronized boolean withdraw(long amount) {
        if (amount < 0 || cents < amount) {
            return false;
        }
        cents -= amount;
        movements++;
        return true;
    }

    /** Takes the money from this account, then puts it into the other one. */
    public boolean transferTo(Account target, long amount) {
        if (target == this) {
            return true;
        }
        synchronized (this) {
            if (!withdraw(amount)) {
                return false;
            }
            target.deposit(amount);
            return true;
        }
    }

    @Override
    public String toString() {
        synchronized (this) {
            return owner + ": " + cents + " after " + movements;
        }
    }
}
