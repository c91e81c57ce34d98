package gate;

/** Waits under an outer lock that the waker never takes. */
public final class Latch {
    private static final class Flag {
        private boolean up;

        synchronized void raise() {
            up = true;
            notifyAll();
        }

        synchronized void await() throws InterruptedException {
            while (!up) {
                wait();
            }
        }
    }

    private final Flag flag = new Flag();
    private final Object line = new Object();
    private int passed;

    /** One at a time, in the order in which they got the line. */
    public int pass() throws InterruptedException {
        synchronized (line) {
            flag.await();
            return ++passed;
        }
    }

    public void open() {
        flag.raise();
    }
}
