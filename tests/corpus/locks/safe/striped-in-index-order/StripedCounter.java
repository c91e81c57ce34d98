package stripe;

/** One stripe at a time, or all of them in the order of their indices. */
public final class StripedCounter {
    private final Object[] locks = new Object[8];
    private final long[] counts = new long[8];

    public StripedCounter() {
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
        }
    }

    public void add(String key, long n) {
        int i = key.hashCode() & 7;
        synchronized (locks[i]) {
            counts[i] += n;
        }
    }

    public long sum() {
        return sumFrom(0);
    }

    private long sumFrom(int i) {
        if (i == locks.length) {
            return 0;
        }
        synchronized (locks[i]) {
            return counts[i] + sumFrom(i + 1);
        }
    }
}
