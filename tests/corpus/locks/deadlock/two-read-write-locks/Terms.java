package index;

import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class Terms {
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final TreeSet<String> terms = new TreeSet<>();

    public boolean contains(String term) {
        lock.readLock().lock();
        try {
            return terms.contains(term);
        } finally {
            lock.readLock().unlock();
        }
    }

    public void add(String term) {
        lock.writeLock().lock();
        try {
            terms.add(term);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Reads the terms, writes the postings. */
    public void prune(Postings postings) {
        lock.readLock().lock();
        try {
            postings.retain(terms);
        } finally {
            lock.readLock().unlock();
        }
    }
}
