package shop;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Under its monitor it only submits; the other monitor is taken by the pool's thread. */
public final class Inventory {
    private final ExecutorService pool;
    private final Audit audit;
    private int stock;

    Inventory(Audit audit) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        pool.allowCoreThreadTimeOut(true);
        this.pool = pool;
        this.audit = audit;
    }

    public synchronized void receive(int n) {
        stock += n;
        pool.execute(() -> audit.record(n));
    }

    synchronized int stock() {
        return stock;
    }
}
