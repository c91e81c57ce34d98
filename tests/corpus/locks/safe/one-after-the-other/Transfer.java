package bank;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Takes two locks in both orders, but gives back the first before it asks for the second. */
public final class Transfer {
    private final Lock lock = new ReentrantLock();
    private long cents;

    private void begin() {
        lock.lock();
    }

    private void commit() {
        lock.unlock();
    }

    private boolean take(long amount) {
        begin();
        try {
            if (cents < amount) {
                return false;
            }
            cents -= amount;
            return true;
        } finally {
            commit();
        }
    }

    public void put(long amount) {
        begin();
        cents += amount;
        commit();
    }

    public boolean to(Transfer other, long amount) {
        if (!take(amount)) {
            return false;
        }
        other.put(amount);
        return true;
    }

    public long both(Transfer other) {
        begin();
        long mine = cents;
        commit();
        other.begin();
        long theirs = other.cents;
        other.commit();
        return mine + theirs;
    }
}
