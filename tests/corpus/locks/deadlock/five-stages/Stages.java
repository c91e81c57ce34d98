package build;

/** Five stages, each of which asks the next one for its state while it works; the last asks the first. */
public final class Stages {
    private Stages() {}

    public abstract static class Stage {
        private Stage next;
        private int runs;

        public void follow(Stage next) {
            this.next = next;
        }

        protected final int stateOfNext() {
            return next == null ? 0 : next.state();
        }

        protected final int count() {
            return ++runs;
        }

        public abstract int work();

        abstract int state();
    }

    public static final class Fetch extends Stage {
        private int files;

        @Override
        public synchronized int work() {
            files += count();
            return files + stateOfNext();
        }

        @Override
        synchronized int state() {
            return files;
        }
    }

    public static final class Parse extends Stage {
        private final Object trees = new Object();

        @Override
        public int work() {
            synchronized (trees) {
                return count() + stateOfNext();
            }
        }

        @Override
        int state() {
            synchronized (trees) {
                return 1;
            }
        }
    }

    public static final class Verify extends Stage {
        @Override
        public int work() {
            synchronized (this) {
                return stateOfNext() == 0 ? count() : -count();
            }
        }

        @Override
        synchronized int state() {
            return 2;
        }
    }

    public static final class Pack extends Stage {
        private final int[] buffer = new int[4];

        @Override
        public int work() {
            synchronized (buffer) {
                buffer[0] = count();
                return buffer[0] ^ stateOfNext();
            }
        }

        @Override
        int state() {
            synchronized (buffer) {
                return buffer[0];
            }
        }
    }

    public static final class Sign extends Stage {
        @Override
        public synchronized int work() {
            return count() * stateOfNext();
        }

        @Override
        synchronized int state() {
            return 3;
        }
    }
}
