package port;

/** Small boxed integers are shared by the whole JVM, so these locks are global. */
public class Channels {
    private final Integer input = 1;
    private final Integer output = 2;
    private long volume;

    public void raise(int by) {
        synchronized (input) {
            volume += by;
            synchronized (output) {
                volume = Math.min(volume, 100);
            }
        }
    }

    public long volume() {
        synchronized (output) {
            return volume;
        }
    }
}
