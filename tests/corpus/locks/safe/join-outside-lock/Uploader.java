package sync;

import java.util.ArrayList;
import java.util.List;

/** Takes the worker out of its field under the lock, waits for it without. */
public final class Uploader {
    private final List<String> pending = new ArrayList<>();
    private Thread worker;
    private volatile boolean stopping;
    private int sent;

    public synchronized void start() {
        if (worker == null) {
            stopping = false;
            worker = new Thread(this::drain, "uploader");
            worker.setDaemon(true);
            worker.start();
        }
    }

    public synchronized void add(String file) {
        pending.add(file);
    }

    private void drain() {
        while (!stopping) {
            flush();
            Thread.yield();
        }
        flush();
    }

    private synchronized void flush() {
        sent += pending.size();
        pending.clear();
    }

    public void stop() throws InterruptedException {
        Thread old;
        synchronized (this) {
            stopping = true;
            old = worker;
            worker = null;
        }
        if (old != null) {
            old.join();
        }
    }

    public synchronized int sent() {
        return sent;
    }
}
