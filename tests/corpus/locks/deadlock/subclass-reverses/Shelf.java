package store;

/** The base class is in order; the subclass calls back while it holds the shelf. */
public class Shelf {
    protected int items;

    public synchronized void put(int n) {
        items += n;
    }

    synchronized int items() {
        return items;
    }

    public static class Counted extends Shelf {
        private final Ledger ledger;

        public Counted(Ledger ledger) {
            this.ledger = ledger;
            ledger.watch(this);
        }

        @Override
        public synchronized void put(int n) {
            super.put(n);
            ledger.note(n);
        }
    }
}
