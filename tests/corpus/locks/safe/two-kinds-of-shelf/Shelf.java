package store;

/** Counted shelves call the ledger, plain ones are called by it; no object is both. */
public final class Shelf {
    private int items;

    public synchronized void put(int n) {
        items += n;
    }

    synchronized int items() {
        return items;
    }
}
