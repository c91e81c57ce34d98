package cache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** Loads under its lock; a loader may be the lookup in another cache. */
public final class LoadingCache<K, V> {
    private final Lock lock = new ReentrantLock();
    private final Map<K, V> values = new HashMap<>();
    private final Function<? super K, ? extends V> loader;
    private long misses;

    public LoadingCache(Function<? super K, ? extends V> loader) {
        this.loader = loader;
    }

    public V get(K key) {
        lock.lock();
        try {
            V value = values.get(key);
            if (value == null) {
                misses++;
                value = loader.apply(key);
                if (value != null) {
                    values.put(key, value);
                }
            }
            return value;
        } finally {
            lock.unlock();
        }
    }

    public V peek(K key) {
        lock.lock();
        try {
            return values.get(key);
        } finally {
            lock.unlock();
        }
    }

    public void forget(K key) {
        lock.lock();
        try {
            values.remove(key);
        } finally {
            lock.unlock();
        }
    }
}
