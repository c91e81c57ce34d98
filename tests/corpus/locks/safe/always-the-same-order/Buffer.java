package ring;

/** Two private locks, put before take wherever both are held. */
public final class Buffer {
    private final Object putLock = new Object();
    private final Object takeLock = new Object();
    private final int[] items = new int[64];
    private int head;
    private int tail;

    public void put(int item) {
        synchronized (putLock) {
            items[tail++ & 63] = item;
        }
    }

    public int take() {
        synchronized (takeLock) {
            return items[head++ & 63];
        }
    }

    public int size() {
        synchronized (putLock) {
            return tail - position();
        }
    }

    private int position() {
        synchronized (takeLock) {
            return head;
        }
    }

    public void clear() {
        synchronized (putLock) {
            synchronized (takeLock) {
                head = tail = 0;
            }
        }
    }

    public int takeThenPut(int item) {
        int taken = take();
        put(item);
        return taken;
    }
}
