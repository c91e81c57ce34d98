package log;

import java.util.ArrayDeque;
import java.util.Deque;

/** Says in the log when it rolls over, and so goes back from the appender to the logger. */
public class FileAppender extends Appender {
    private final Logger status;
    private final Deque<String> lines = new ArrayDeque<>();
    private final int limit;

    public FileAppender(Logger status, int limit) {
        this.status = status;
        this.limit = limit;
    }

    @Override
    protected void write(String line) {
        lines.addLast(line);
        if (lines.size() > limit) {
            lines.removeFirst();
        }
    }

    public synchronized void rollOver() {
        lines.clear();
        status.log(Logger.Level.DEBUG, "rolled over");
    }
}
