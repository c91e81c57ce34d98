package jobs;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public final class JobQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    private final long[] jobs = new long[16];
    private int count;

    public void submit(long job) throws InterruptedException {
        lock.lock();
        try {
            while (count == jobs.length) {
                notFull.await();
            }
            jobs[count++] = job;
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    public long next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (size() == 0) {
                notEmpty.await();
            }
            long job = jobs[--count];
            notFull.signal();
            return job;
        } finally {
            lock.unlock();
        }
    }

    public int size() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }
}
