package dbpool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The factory is called with no monitor held. */
public final class KeyedPool<V> {
    public interface Factory<V> {
        V make(String key);

        void destroy(String key, V object);
    }

    private final Factory<V> factory;
    private final Map<String, Deque<V>> idle = new HashMap<>();
    private final Object monitor = new Object();
    private int active;

    public KeyedPool(Factory<V> factory) {
        this.factory = factory;
    }

    public V borrow(String key) {
        synchronized (monitor) {
            active++;
            Deque<V> known = idle.get(key);
            if (known != null && !known.isEmpty()) {
                return known.removeFirst();
            }
        }
        return factory.make(key);
    }

    public void giveBack(String key, V object) {
        boolean keep;
        synchronized (monitor) {
            active--;
            Deque<V> known = idle.computeIfAbsent(key, k -> new ArrayDeque<>());
            keep = known.size() < 10;
            if (keep) {
                known.addFirst(object);
            }
        }
        if (!keep) {
            factory.destroy(key, object);
        }
    }

    public int evict(String key) {
        List<V> gone;
        synchronized (monitor) {
            Deque<V> known = idle.remove(key);
            gone = known == null ? List.of() : new ArrayList<>(known);
        }
        for (V object : gone) {
            factory.destroy(key, object);
        }
        return gone.size();
    }
}
