package vault;

/** Both monitors are only ever held together under the one static gate. */
public final class Vault {
    private static final Object GATE = new Object();

    private final Object door = new Object();
    private long gold;

    public Vault(long gold) {
        this.gold = gold;
    }

    public long gold() {
        synchronized (door) {
            return gold;
        }
    }

    public boolean moveTo(Vault other, long amount) {
        if (amount < 0) {
            return false;
        }
        synchronized (GATE) {
            synchronized (door) {
                if (gold < amount) {
                    return false;
                }
                gold -= amount;
                other.receive(amount);
                return true;
            }
        }
    }

    private void receive(long amount) {
        synchronized (door) {
            gold += amount;
        }
    }

    public static long total(Vault a, Vault b) {
        synchronized (GATE) {
            synchronized (a.door) {
                synchronized (b.door) {
                    return a == b ? a.gold : a.gold + b.gold;
                }
            }
        }
    }
}
