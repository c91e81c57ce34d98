package model;

import java.util.HashMap;
import java.util.Map;

/** Guards what all beans of one class share by the monitor of that class. */
public abstract class Bean {
    private static final Map<Class<?>, Map<String, Integer>> READS = new HashMap<>();

    protected final void touch(String property) {
        synchronized (getClass()) {
            countRead(property);
        }
    }

    private void countRead(String property) {
        Map<String, Integer> mine;
        synchronized (READS) {
            mine = READS.computeIfAbsent(getClass(), c -> new HashMap<>());
        }
        mine.merge(property, 1, Integer::sum);
    }

    public void copyReads(Bean other) {
        synchronized (getClass()) {
            touch("copy");
            other.touch("copied");
        }
    }
}
