package bank;

import java.util.concurrent.atomic.AtomicLong;

/** Locks in the order of serial numbers, which are final and unique. */
public final class Account {
    private static final AtomicLong SERIALS = new AtomicLong();

    private final long serial = SERIALS.incrementAndGet();
    private final String owner;
    private long cents;

    public Account(String owner, long cents) {
        this.owner = owner;
        this.cents = cents;
    }

    public String owner() {
        return owner;
    }

    public synchronized long balance() {
        return cents;
    }

    public boolean transferTo(Account target, long amount) {
        if (serial < target.serial) {
            synchronized (this) {
                synchronized (target) {
                    return move(target, amount);
                }
            }
        }
        synchronized (target) {
            synchronized (this) {
                return move(target, amount);
            }
        }
    }

    private boolean move(Account target, long amount) {
        if (amount < 0 || cents < amount) {
            return false;
        }
        cents -= amount;
        target.cents += amount;
        return true;
    }
}
