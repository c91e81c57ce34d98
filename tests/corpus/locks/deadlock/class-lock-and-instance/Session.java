package web;

import java.util.LinkedHashMap;
import java.util.Map;

/** The class lock guards the table of sessions, the instance lock one session. */
public class Session {
    private static final Map<Long, Session> OPEN = new LinkedHashMap<>();
    private static long nextId = 1;

    private final long id;
    private long touched;
    private boolean closed;

    private Session(long id) {
        this.id = id;
    }

    public static Session open() {
        synchronized (Session.class) {
            Session session = new Session(nextId++);
            OPEN.put(session.id, session);
            return session;
        }
    }

    public synchronized void touch(long now) {
        if (!closed) {
            touched = now;
        }
    }

    public synchronized void close() {
        if (!closed) {
            closed = true;
            forget(id);
        }
    }

    public synchronized void reopen() {
        if (closed) {
            closed = false;
            remember(this);
        }
    }

    private static synchronized void forget(long id) {
        OPEN.remove(id);
    }

    private static synchronized void remember(Session session) {
        OPEN.put(session.id, session);
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
