package store;

import java.util.ArrayList;
import java.util.List;

public class Ledger {
    private final List<Shelf> shelves = new ArrayList<>();
    private long noted;

    public synchronized void watch(Shelf shelf) {
        shelves.add(shelf);
    }

    synchronized void note(int n) {
        noted += n;
    }

    public synchronized long missing() {
        long sum = noted;
        for (Shelf shelf : shelves) {
            sum -= shelf.items();
        }
        return sum;
    }
}
