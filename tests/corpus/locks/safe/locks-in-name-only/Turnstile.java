package metro;

/** Has lock and unlock, but they only count; nobody ever waits here. */
public final class Turnstile {
    private static final class Lock {
        private int depth;

        void lock() {
            depth++;
        }

        void unlock() {
            depth--;
        }

        boolean isLocked() {
            return depth > 0;
        }
    }

    private final Lock in = new Lock();
    private final Lock out = new Lock();
    private long passed;

    public void enter() {
        in.lock();
        try {
            out.lock();
            passed++;
            out.unlock();
        } finally {
            in.unlock();
        }
    }

    public void leave() {
        out.lock();
        try {
            in.lock();
            passed--;
            in.unlock();
        } finally {
            out.unlock();
        }
    }

    public boolean inUse() {
        return in.isLocked() || out.isLocked();
    }

    public long passed() {
        return passed;
    }
}
