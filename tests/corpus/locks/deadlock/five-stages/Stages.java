package build;

/** Five stages, each of which asks the next one for its state while it works; the last asks the first. */
public final class Stages {
    private Stages() {}

    interface Stateful {
        int state();
    }

    private abstract static class Stage implements Stateful {
        private int runs;

        final int count() {
            return ++runs;
        }

        static int ask(Stateful next) {
            return next == null ? 0 : next.state();
        }
    }

    public static final class Fetch extends Stage {
        private final Parse next;
        private int files;

        public Fetch(Parse next) {
            this.next = next;
        }

        public synchronized int work() {
            files += count();
            return files + ask(next);
        }

        @Override
        public synchronized int state() {
            return files;
        }
    }

    public static final class Parse extends Stage {
        private final Object trees = new Object();
        private final Verify next;

        public Parse(Verify next) {
            this.next = next;
        }

        public int work() {
            synchronized (trees) {
                return count() + ask(next);
            }
        }

        @Override
        public int state() {
            synchronized (trees) {
                return 1;
            }
        }
    }

    public static final class Verify extends Stage {
        private final Pack next;

        public Verify(Pack next) {
            this.next = next;
        }

        public int work() {
            synchronized (this) {
                return ask(next) == 0 ? count() : -count();
            }
        }

        @Override
        public synchronized int state() {
            return 2;
        }
    }

    public static final class Pack extends Stage {
        private final int[] buffer = new int[4];
        private final Sign next;

        public Pack(Sign next) {
            this.next = next;
        }

        public int work() {
            synchronized (buffer) {
                buffer[0] = count();
                return buffer[0] ^ ask(next);
            }
        }

        @Override
        public int state() {
            synchronized (buffer) {
                return buffer[0];
            }
        }
    }

    public static final class Sign extends Stage {
        private Fetch first;

        public synchronized void closeRing(Fetch first) {
            this.first = first;
        }

        public synchronized int work() {
            return count() * ask(first);
        }

        @Override
        public synchronized int state() {
            return 3;
        }
    }
}
