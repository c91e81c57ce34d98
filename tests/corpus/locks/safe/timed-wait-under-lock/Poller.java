package poll;

/** Holds a second lock while it waits, but the wait ends by itself. */
public final class Poller {
    private final Object state = new Object();
    private final Object signal = new Object();
    private int ticks;

    public int poll(long millis) throws InterruptedException {
        synchronized (state) {
            synchronized (signal) {
                if (ticks == 0) {
                    signal.wait(Math.min(Math.max(millis, 1), 100));
                }
            }
            int seen = ticks;
            ticks = 0;
            return seen;
        }
    }

    public void tick() {
        synchronized (state) {
            ticks++;
            synchronized (signal) {
                signal.notifyAll();
            }
        }
    }
}
