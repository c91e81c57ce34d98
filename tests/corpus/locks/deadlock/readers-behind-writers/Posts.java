package feed;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public final class Posts {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final List<String> authors = new ArrayList<>();

    public void post(String author) {
        lock.writeLock().lock();
        try {
            if (!authors.contains(author)) {
                authors.add(author);
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    int countBy(String author) {
        lock.readLock().lock();
        try {
            int n = 0;
            for (String name : authors) {
                if (name.equals(author)) {
                    n++;
                }
            }
            return n;
        } finally {
            lock.readLock().unlock();
        }
    }

    public int orphans(Users users) {
        lock.readLock().lock();
        try {
            int n = 0;
            for (String name : authors) {
                if (!users.exists(name)) {
                    n++;
                }
            }
            return n;
        } finally {
            lock.readLock().unlock();
        }
    }
}
