package feed;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Readers of both tables in both orders: harmless until a writer queues up at each of them. */
public final class Users {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Set<String> names = new HashSet<>();

    public void join(String name) {
        lock.writeLock().lock();
        try {
            names.add(name);
        } finally {
            lock.writeLock().unlock();
        }
    }

    boolean exists(String name) {
        lock.readLock().lock();
        try {
            return names.contains(name);
        } finally {
            lock.readLock().unlock();
        }
    }

    public int silent(Posts posts) {
        lock.readLock().lock();
        try {
            int n = 0;
            for (String name : names) {
                if (posts.countBy(name) == 0) {
                    n++;
                }
            }
            return n;
        } finally {
            lock.readLock().unlock();
        }
    }
}
