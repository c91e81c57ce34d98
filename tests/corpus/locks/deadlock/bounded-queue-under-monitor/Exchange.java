package pipe;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A full queue makes send wait, with the monitor that receive needs. */
public class Exchange {
    private final BlockingQueue<String> queue;
    private int sent;
    private int received;

    public Exchange(int capacity) {
        queue = new ArrayBlockingQueue<>(Math.max(1, capacity));
    }

    public synchronized void send(String message) throws InterruptedException {
        queue.put(message);
        sent++;
    }

    public synchronized String receive() throws InterruptedException {
        String message = queue.take();
        received++;
        return message;
    }

    public synchronized int open() {
        return sent - received;
    }
}
