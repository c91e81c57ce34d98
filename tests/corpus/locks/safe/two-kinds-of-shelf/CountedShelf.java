package store;

public final class CountedShelf {
    private final Ledger ledger;
    private int items;

    public CountedShelf(Ledger ledger) {
        this.ledger = ledger;
    }

    public synchronized void put(int n) {
        items += n;
        ledger.note(n);
    }

    public synchronized int items() {
        return items;
    }
}
