package pool;

/** Compares the innermost connections, of whatever wrapper the argument is. */
public class Connection2 {
    private final String url;

    public Connection2(String url) {
        this.url = url == null ? "" : url;
    }

    @Override
    public boolean equals(Object o) {
        return o != null && o.getClass() == Connection2.class && url.equals(((Connection2) o).url);
    }

    @Override
    public int hashCode() {
        return url.hashCode();
    }

    public static final class Guard extends Connection2 {
        private Connection2 inner;

        public Guard(Connection2 inner) {
            super("guard");
            this.inner = inner;
        }

        public void close() {
            inner = null;
        }

        @Override
        public boolean equals(Object o) {
            if (inner == null) {
                return false;
            }
            return inner.equals(o instanceof Guard ? ((Guard) o).inner : o);
        }

        @Override
        public int hashCode() {
            return inner == null ? 0 : inner.hashCode();
        }
    }
}
