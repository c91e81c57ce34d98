package part;

import java.util.concurrent.locks.ReentrantLock;

/** Gives back its lock on the good and on the bad path before it calls the other side. */
public final class Left {
    private final ReentrantLock lock = new ReentrantLock();
    private final int[] values = {1, 2, 3};

    public int sum(Right right, int index) {
        int value;
        lock.lock();
        try {
            value = values[index];
        } catch (ArrayIndexOutOfBoundsException e) {
            value = -1;
        } finally {
            lock.unlock();
        }
        return value < 0 ? right.fallback() : value + right.fallback();
    }

    int first() {
        lock.lock();
        try {
            return values[0];
        } finally {
            lock.unlock();
        }
    }
}
