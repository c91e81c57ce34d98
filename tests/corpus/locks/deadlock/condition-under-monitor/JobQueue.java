package jobs;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class JobQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private final int capacity;
    private long submitted;

    public JobQueue(int capacity) {
        this.capacity = capacity;
    }

    /** The monitor keeps the statistics in step with the queue. */
    public synchronized boolean submit(Runnable job) {
        lock.lock();
        try {
            if (queue.size() >= capacity) {
                return false;
            }
            queue.add(job);
            submitted++;
            notEmpty.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    public synchronized Runnable next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (queue.isEmpty()) {
                notEmpty.await();
            }
            return queue.remove();
        } finally {
            lock.unlock();
        }
    }

    public synchronized long submitted() {
        return submitted;
    }
}
