package pool;

import java.util.concurrent.locks.ReentrantLock;

/** Takes the second lock only if it is free, else gives back the first and starts again. */
public final class Shard {
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

    public boolean balance(Shard other) {
        for (int attempt = 0; attempt < 100; attempt++) {
            lock.lock();
            try {
                if (other.lock.tryLock()) {
                    try {
                        int sum = load + other.load;
                        load = sum / 2;
                        other.load = sum - load;
                        return true;
                    } finally {
                        other.lock.unlock();
                    }
                }
            } finally {
                lock.unlock();
            }
            Thread.yield();
        }
        return false;
    }
}
