package span;

/** The second comparison is of this object with itself. */
public final class Range {
    private final int low;
    private final int high;

    public Range(int low, int high) {
        this.low = low;
        this.high = high;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Range)) {
            return false;
        }
        Range other = (Range) o;
        return other.low == low && this.high == high;
    }

    @Override
    public int hashCode() {
        return low * 31 + high;
    }
}
