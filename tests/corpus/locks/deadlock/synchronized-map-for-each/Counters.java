package stats;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

public class Counters {
    private final Map<String, Long> values = Collections.synchronizedMap(new HashMap<>());

    public void add(String name, long n) {
        values.merge(name, n, Long::sum);
    }

    public long get(String name) {
        return values.getOrDefault(name, 0L);
    }

    /** forEach holds the mutex of this map for the whole walk, merge takes the other's. */
    public void mergeFrom(Counters other) {
        other.values.forEach((name, n) -> add(name, n & 1));
    }
}
