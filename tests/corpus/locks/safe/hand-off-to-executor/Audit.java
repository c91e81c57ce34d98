package shop;

public final class Audit {
    private final Inventory inventory;
    private long recorded;

    public Audit() {
        inventory = new Inventory(this);
    }

    public Inventory inventory() {
        return inventory;
    }

    synchronized void record(int n) {
        recorded += n;
    }

    public synchronized boolean balanced() {
        return recorded == inventory.stock();
    }
}
