package cache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** The loader runs between two short critical sections. */
public final class LoadingCache<V> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, V> values = new HashMap<>();
    private final Function<String, V> loader;

    public LoadingCache(Function<String, V> loader) {
        this.loader = loader;
    }

    public V peek(String key) {
        lock.lock();
        try {
            return values.get(key);
        } finally {
            lock.unlock();
        }
    }

    public V get(String key) {
        V known = peek(key);
        if (known != null) {
            return known;
        }
        V made = loader.apply(key);
        if (made == null) {
            return null;
        }
        lock.lock();
        try {
            V other = values.putIfAbsent(key, made);
            return other != null ? other : made;
        } finally {
            lock.unlock();
        }
    }
}
