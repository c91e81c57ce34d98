package log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Logger {
    public enum Level { DEBUG, INFO, ERROR }

    private static final Map<String, Logger> ALL = new HashMap<>();

    private final String name;
    private final Logger parent;
    private final List<Appender> appenders = new ArrayList<>();
    private Level level = Level.INFO;

    private Logger(String name, Logger parent) {
        this.name = name;
        this.parent = parent;
    }

    public static Logger named(String name) {
        synchronized (ALL) {
            Logger known = ALL.get(name);
            if (known == null) {
                int dot = name.lastIndexOf('.');
                known = new Logger(name, dot < 0 ? null : named(name.substring(0, dot)));
                ALL.put(name, known);
            }
            return known;
        }
    }

    public synchronized void add(Appender appender) {
        appenders.add(appender);
    }

    public synchronized void setLevel(Level level) {
        this.level = level;
    }

    public void log(Level level, String message) {
        for (Logger logger = this; logger != null; logger = logger.parent) {
            if (logger.deliver(level, name, message)) {
                return;
            }
        }
    }

    private synchronized boolean deliver(Level level, String name, String message) {
        if (level.compareTo(this.level) < 0) {
            return true;
        }
        for (Appender appender : appenders) {
            appender.append(name + " " + level + " " + message);
        }
        return false;
    }
}
