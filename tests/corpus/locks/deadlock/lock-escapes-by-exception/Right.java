package part;

import java.util.concurrent.locks.ReentrantLock;

public class Right {
    private final ReentrantLock lock = new ReentrantLock();
    private int fallback;

    int fallback() {
        lock.lock();
        try {
            return fallback;
        } finally {
            lock.unlock();
        }
    }

    public void learn(Left left) {
        lock.lock();
        try {
            fallback = left.first();
        } finally {
            lock.unlock();
        }
    }
}
