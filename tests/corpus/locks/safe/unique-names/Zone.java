package zone;

import java.util.concurrent.ConcurrentHashMap;

/** One zone per name, so the order of names is an order of zones. */
public final class Zone {
    private static final ConcurrentHashMap<String, Zone> ALL = new ConcurrentHashMap<>();

    private final String name;
    private int shift;

    private Zone(String name) {
        this.name = name;
    }

    public static Zone of(String name) {
        return ALL.computeIfAbsent(name, Zone::new);
    }

    public synchronized int shift() {
        return shift;
    }

    public synchronized void setShift(int shift) {
        this.shift = shift;
    }

    public int difference(Zone other) {
        int order = name.compareTo(other.name);
        if (order == 0) {
            return 0;
        }
        Zone first = order < 0 ? this : other;
        Zone second = order < 0 ? other : this;
        synchronized (first) {
            synchronized (second) {
                return shift - other.shift;
            }
        }
    }
}
