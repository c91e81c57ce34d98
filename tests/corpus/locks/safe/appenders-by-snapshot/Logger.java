package log;

import java.util.Arrays;

/** Appenders are kept in an array that is replaced, never changed, and called without a lock. */
public final class Logger {
    private final Object writeLock = new Object();
    private volatile Appender[] appenders = new Appender[0];

    public void add(Appender appender) {
        synchronized (writeLock) {
            Appender[] longer = Arrays.copyOf(appenders, appenders.length + 1);
            longer[longer.length - 1] = appender;
            appenders = longer;
        }
    }

    public void log(String message) {
        for (Appender appender : appenders) {
            appender.append(message);
        }
    }

    public int size() {
        synchronized (writeLock) {
            return appenders.length;
        }
    }
}
