package fs;

/** Both equals and compareTo go through a strategy held in a static field. */
public final class FileName implements Comparable<FileName> {
    private abstract static class Rules {
        abstract int compare(FileName a, FileName b);

        abstract int hash(FileName a);
    }

    private static final class Exact extends Rules {
        @Override
        int compare(FileName a, FileName b) {
            return a.path.compareTo(b.path);
        }

        @Override
        int hash(FileName a) {
            return a.path.hashCode() ^ 1234321;
        }
    }

    private static final Rules RULES = new Exact();

    private final String path;

    public FileName(String path) {
        if (path == null) {
            throw new NullPointerException();
        }
        this.path = path;
    }

    @Override
    public boolean equals(Object o) {
        if (o != null && o instanceof FileName) {
            return compareTo((FileName) o) == 0;
        }
        return false;
    }

    @Override
    public int compareTo(FileName other) {
        return RULES.compare(this, other);
    }

    @Override
    public int hashCode() {
        return RULES.hash(this);
    }
}
