package depot;

import java.util.TreeMap;

public final class Warehouse {
    private final Object shelfGuard = new Object();
    private final TreeMap<String, Long> shelves = new TreeMap<>();
    private final Ledger ledger;

    public Warehouse(Ledger ledger) {
        this.ledger = ledger;
    }

    public void store(String shelf, long weight) {
        synchronized (shelfGuard) {
            shelves.merge(shelf, weight, Long::sum);
            afterChange(shelf, weight);
        }
    }

    private void afterChange(String shelf, long weight) {
        if (weight != 0) {
            describeChange(new StringBuilder(shelf), weight);
        }
    }

    private void describeChange(StringBuilder line, long weight) {
        line.append(' ').append(weight);
        ledger.record(line.toString());
    }

    long total() {
        synchronized (shelfGuard) {
            long sum = 0;
            for (long w : shelves.values()) {
                sum += w;
            }
            return sum;
        }
    }
}
