package pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Tries for a while and then, instead of giving up, waits for ever. */
public class Shard {
    private final ReentrantLock lock = new ReentrantLock();
    private int load;

    public void put(int n) {
        lock.lock();
        try {
            load += n;
        } finally {
            lock.unlock();
        }
    }

    public void balance(Shard other) throws InterruptedException {
        if (other == this) {
            return;
        }
        lock.lock();
        try {
            if (!other.lock.tryLock(1, TimeUnit.MILLISECONDS)) {
                other.lock.lockInterruptibly();
            }
            try {
                int sum = load + other.load;
                load = sum / 2;
                other.load = sum - load;
            } finally {
                other.lock.unlock();
            }
        } finally {
            lock.unlock();
        }
    }
}
