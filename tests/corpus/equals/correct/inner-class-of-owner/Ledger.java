package acct;

/** Entries of different ledgers differ, and the ledger itself is compared by identity. */
public final class Ledger {
    private int entries;

    public Entry enter(long cents) {
        entries++;
        return new Entry(cents);
    }

    public int entries() {
        return entries;
    }

    public final class Entry {
        private final long cents;

        private Entry(long cents) {
            this.cents = cents;
        }

        private Ledger owner() {
            return Ledger.this;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Entry && cents == ((Entry) o).cents && owner() == ((Entry) o).owner();
        }

        @Override
        public int hashCode() {
            return Long.hashCode(cents) + System.identityHashCode(Ledger.this);
        }
    }
}
