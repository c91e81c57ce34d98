package cat;

import java.util.HashMap;
import java.util.Map;

/** The initialiser takes a lock that nobody can reach before the class is initialised. */
public final class Catalog {
    private static final Object LOCK = new Object();
    private static final Map<String, Integer> IDS = new HashMap<>();
    private static int next;

    static {
        synchronized (LOCK) {
            enter("root");
            enter("home");
        }
    }

    private Catalog() {}

    private static int enter(String name) {
        int id = next++;
        IDS.put(name, id);
        return id;
    }

    public static int id(String name) {
        synchronized (LOCK) {
            Integer known = IDS.get(name);
            return known != null ? known : enter(name);
        }
    }

    public static int size() {
        synchronized (LOCK) {
            return IDS.size() + Counter.hits();
        }
    }

    private static final class Counter {
        private static int hits = next;

        static int hits() {
            return hits++;
        }
    }
}
