package grid;

/** The classic: order by identity hash, and one global lock for the rare tie. */
public final class Cell {
    private static final Object TIE = new Object();

    private int value;

    public synchronized int value() {
        return value;
    }

    public synchronized void set(int value) {
        this.value = value;
    }

    public static void swap(Cell a, Cell b) {
        int ha = System.identityHashCode(a);
        int hb = System.identityHashCode(b);
        if (ha < hb) {
            synchronized (a) {
                synchronized (b) {
                    exchange(a, b);
                }
            }
        } else if (ha > hb) {
            synchronized (b) {
                synchronized (a) {
                    exchange(a, b);
                }
            }
        } else {
            synchronized (TIE) {
                synchronized (a) {
                    synchronized (b) {
                        exchange(a, b);
                    }
                }
            }
        }
    }

    private static void exchange(Cell a, Cell b) {
        int t = a.value;
        a.value = b.value;
        b.value = t;
    }
}
