package pipe;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Waits for the queue first, counts under the monitor afterwards. */
public final class Exchange {
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(4);
    private int sent;
    private int received;

    public void send(String message) throws InterruptedException {
        queue.put(message);
        synchronized (this) {
            sent++;
        }
    }

    public String receive() throws InterruptedException {
        String message = queue.take();
        synchronized (this) {
            received++;
        }
        return message;
    }

    public synchronized boolean trySend(String message) {
        boolean taken = queue.offer(message);
        if (taken) {
            sent++;
        }
        return taken;
    }

    public synchronized int open() {
        return sent - received;
    }
}
