package dns;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Releases the read lock before it asks for the write lock, and goes down from write to read. */
public final class NameCache {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Map<String, String> names = new HashMap<>();

    public String resolve(String host) {
        lock.readLock().lock();
        try {
            String address = names.get(host);
            if (address != null) {
                return address;
            }
        } finally {
            lock.readLock().unlock();
        }
        lock.writeLock().lock();
        try {
            names.putIfAbsent(host, "0.0.0.0");
            lock.readLock().lock();
        } finally {
            lock.writeLock().unlock();
        }
        try {
            return names.get(host);
        } finally {
            lock.readLock().unlock();
        }
    }

    public int size() {
        lock.readLock().lock();
        try {
            return names.size();
        } finally {
            lock.readLock().unlock();
        }
    }

    public void clear() {
        lock.writeLock().lock();
        try {
            if (size() > 0) {
                names.clear();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }
}
