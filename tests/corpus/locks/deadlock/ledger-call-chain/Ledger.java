package depot;

import java.util.ArrayDeque;
import java.util.Deque;

public final class Ledger {
    private final Object pageGuard = new Object();
    private final Deque<String> page = new ArrayDeque<>();
    private int closed;

    void record(String line) {
        synchronized (pageGuard) {
            page.addLast(line);
            if (page.size() > 100) {
                page.removeFirst();
            }
        }
    }

    /** Closes the page with the weight that the warehouse reports at that moment. */
    public String close(Warehouse warehouse) {
        synchronized (pageGuard) {
            String last = page.isEmpty() ? "empty" : page.peekLast();
            page.clear();
            return stamp(last, warehouse);
        }
    }

    private String stamp(String last, Warehouse warehouse) {
        closed++;
        return closed + " " + last + " " + weigh(warehouse);
    }

    private static long weigh(Warehouse warehouse) {
        return warehouse == null ? 0 : warehouse.total();
    }
}
