package copy;

/** The reverse order stands in code that cannot run. */
public final class Mirror {
    private static final boolean TRACE = false;

    private final Object source = new Object();
    private final Object target = new Object();
    private int a;
    private int b;

    public void copy() {
        synchronized (source) {
            synchronized (target) {
                b = a;
            }
        }
    }

    public int read() {
        synchronized (target) {
            if (TRACE) {
                synchronized (source) {
                    System.out.println(a);
                }
            }
            return b;
        }
    }

    private void restore() {
        synchronized (target) {
            writeSource();
        }
    }

    private void writeSource() {
        synchronized (source) {
            a = b;
        }
    }

    public void set(int value) {
        synchronized (source) {
            a = value;
        }
    }
}
