package bank;

/** Counts what it noticed and compares that with its ledger. */
public class Audit {
    private Ledger ledger;
    private int noticed;

    public synchronized void watch(Ledger ledger) {
        this.ledger = ledger;
    }

    public synchronized void noticed(String entry) {
        noticed++;
    }

    public synchronized boolean complete() {
        return ledger != null && ledger.size() == noticed;
    }
}
