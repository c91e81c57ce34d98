package sync;

import java.util.ArrayList;
import java.util.List;

public class Uploader {
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
            String file = next();
            if (file == null) {
                Thread.yield();
            }
        }
        flush();
    }

    private synchronized String next() {
        return pending.isEmpty() ? null : pending.remove(0);
    }

    private void flush() {
        synchronized (this) {
            sent += pending.size();
            pending.clear();
        }
    }

    /** Waits for the worker, which needs the monitor once more before it ends. */
    public synchronized void stop() throws InterruptedException {
        stopping = true;
        if (worker != null) {
            worker.join();
            worker = null;
        }
    }

    public synchronized int sent() {
        return sent;
    }
}
