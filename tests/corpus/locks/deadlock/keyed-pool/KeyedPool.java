package dbpool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** A pool of idle objects by key; makes and destroys them through a factory, under its own monitor. */
public class KeyedPool<K, V> {
    public interface Factory<K, V> {
        V make(K key);

        boolean validate(V object);

        void destroy(K key, V object);
    }

    private final Factory<K, V> factory;
    private final Map<K, Deque<V>> idle = new HashMap<>();
    private final int maxIdle;
    private int active;

    public KeyedPool(Factory<K, V> factory, int maxIdle) {
        this.factory = factory;
        this.maxIdle = maxIdle;
    }

    public synchronized V borrow(K key) {
        Deque<V> known = idle.get(key);
        V object = known == null ? null : known.pollFirst();
        if (object != null && !factory.validate(object)) {
            factory.destroy(key, object);
            object = null;
        }
        if (object == null) {
            object = factory.make(key);
        }
        active++;
        return object;
    }

    public synchronized void giveBack(K key, V object) {
        active--;
        Deque<V> known = idle.computeIfAbsent(key, k -> new ArrayDeque<>());
        if (known.size() < maxIdle) {
            known.addFirst(object);
        } else {
            factory.destroy(key, object);
        }
    }

    /** Called now and then by a housekeeping thread. */
    public synchronized int evict() {
        int gone = 0;
        for (Map.Entry<K, Deque<V>> entry : idle.entrySet()) {
            Deque<V> objects = entry.getValue();
            while (!objects.isEmpty()) {
                factory.destroy(entry.getKey(), objects.removeLast());
                gone++;
            }
        }
        return gone;
    }

    public synchronized int active() {
        return active;
    }
}
