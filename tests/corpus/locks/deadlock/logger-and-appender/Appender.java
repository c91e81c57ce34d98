package log;

public abstract class Appender {
    private boolean closed;
    private long written;

    public final synchronized void append(String line) {
        if (!closed) {
            write(line);
            written += line.length();
        }
    }

    protected abstract void write(String line);

    public synchronized void close() {
        closed = true;
    }

    public synchronized long written() {
        return written;
    }
}
