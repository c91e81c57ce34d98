package part;

import java.util.concurrent.locks.ReentrantLock;

/** On the good path the lock is given back before the other side is called; after an exception it is not. */
public class Left {
    private final ReentrantLock lock = new ReentrantLock();
    private int[] values = {1, 2, 3};

    public int sum(Right right, int index) {
        lock.lock();
        int value;
        try {
            value = values[index];
            lock.unlock();
        } catch (ArrayIndexOutOfBoundsException e) {
            value = right.fallback();
            lock.unlock();
        }
        return value + right.fallback();
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
