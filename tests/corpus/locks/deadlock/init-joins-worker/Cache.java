package warm;

import java.util.concurrent.ConcurrentHashMap;

/** Fills itself with a worker thread while the class is initialised; the worker runs code of this class. */
public final class Cache {
    private static final ConcurrentHashMap<Integer, Long> SQUARES = new ConcurrentHashMap<>();

    static {
        Thread worker = new Thread(() -> fill(64), "cache-warmer");
        worker.setDaemon(true);
        worker.start();
        try {
            worker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Cache() {}

    private static void fill(int n) {
        for (int i = 0; i < n; i++) {
            SQUARES.put(i, (long) i * i);
        }
    }

    public static long square(int i) {
        Long known = SQUARES.get(i);
        return known != null ? known : (long) i * i;
    }
}
