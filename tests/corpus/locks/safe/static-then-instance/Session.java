package web;

import java.util.LinkedHashMap;
import java.util.Map;

/** The class lock comes first wherever both are held; the instance lock is given back before forgetting. */
public final class Session {
    private static final Map<Long, Session> OPEN = new LinkedHashMap<>();
    private static long nextId = 1;

    private final long id;
    private long touched;
    private boolean closed;

    private Session(long id) {
        this.id = id;
    }

    public static synchronized Session open() {
        Session session = new Session(nextId++);
        OPEN.put(session.id, session);
        return session;
    }

    public synchronized void touch(long now) {
        touched = now;
    }

    public void close() {
        boolean first;
        synchronized (this) {
            first = !closed;
            closed = true;
        }
        if (first) {
            forget(id);
        }
    }

    private static synchronized void forget(long id) {
        OPEN.remove(id);
    }

    private synchronized boolean idleSince(long limit) {
        return touched < limit;
    }

    public static synchronized int countIdle(long limit) {
        int idle = 0;
        for (Session session : OPEN.values()) {
            if (session.idleSince(limit)) {
                idle++;
            }
        }
        return idle;
    }
}
