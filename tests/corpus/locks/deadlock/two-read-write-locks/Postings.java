package index;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class Postings {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, Integer> counts = new HashMap<>();

    public void post(String term) {
        lock.writeLock().lock();
        try {
            counts.merge(term, 1, Integer::sum);
        } finally {
            lock.writeLock().unlock();
        }
    }

    void retain(Set<String> terms) {
        lock.writeLock().lock();
        try {
            counts.keySet().retainAll(terms);
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Reads the postings, writes the terms. */
    public void restore(Terms terms) {
        lock.readLock().lock();
        try {
            for (String term : counts.keySet()) {
                terms.add(term);
            }
        } finally {
            lock.readLock().unlock();
        }
    }
}
