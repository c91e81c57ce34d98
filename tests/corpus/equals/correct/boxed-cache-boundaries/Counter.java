package boxes;

/** Boxed numbers are compared by value, never by ==, and long and int boxes are kept apart. */
public final class Counter {
    private final Integer hits;
    private final Long bytes;
    private final Character mark;

    public Counter(Integer hits, Long bytes, Character mark) {
        this.hits = hits == null ? Integer.valueOf(0) : hits;
        this.bytes = bytes;
        this.mark = mark;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Counter)) {
            return false;
        }
        Counter c = (Counter) o;
        if (hits.intValue() != c.hits) {
            return false;
        }
        if (bytes == null || c.bytes == null) {
            return bytes == c.bytes && java.util.Objects.equals(mark, c.mark);
        }
        return bytes.longValue() == c.bytes.longValue() && (mark == null ? c.mark == null : mark.equals(c.mark));
    }

    @Override
    public int hashCode() {
        return hits + (bytes == null ? 0 : bytes.hashCode());
    }
}
