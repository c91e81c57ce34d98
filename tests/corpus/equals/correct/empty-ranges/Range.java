package span;

/** All empty ranges are equal and hash alike. */
public final class Range {
    private final int from;
    private final int to;

    public Range(int from, int to) {
        this.from = from;
        this.to = to;
    }

    public boolean isEmpty() {
        return from >= to;
    }

    public boolean contains(int i) {
        return from <= i && i < to;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Range)) {
            return false;
        }
        Range r = (Range) o;
        if (isEmpty() || r.isEmpty()) {
            return isEmpty() && r.isEmpty();
        }
        return from == r.from && to == r.to;
    }

    @Override
    public int hashCode() {
        return isEmpty() ? -1 : from * 31 + to;
    }
}
