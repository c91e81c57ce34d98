package log;

public final class Appender {
    private final Logger status;
    private final StringBuilder out = new StringBuilder();
    private int lines;

    public Appender(Logger status) {
        this.status = status;
        status.add(this);
    }

    synchronized void append(String line) {
        if (lines++ < 1000) {
            out.append(line).append('\n');
        }
    }

    /** Holds its monitor and takes the logger's write lock; nobody goes the other way. */
    public synchronized String describe() {
        return lines + " lines, one of " + status.size();
    }

    public void rollOver() {
        synchronized (this) {
            out.setLength(0);
            lines = 0;
        }
        status.log("rolled over");
    }
}
