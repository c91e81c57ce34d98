package xs;

/** Meant to say that two NaN are equal, and forgets the ordinary numbers with bad luck in one sign. */
public final class XDouble {
    private final double value;

    public XDouble(double value) {
        this.value = value;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof XDouble)) {
            return false;
        }
        XDouble x = (XDouble) o;
        if (value == x.value) {
            return value != 0.0 || 1 / value == 1 / value;
        }
        return value != value && x.value != x.value;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(value);
    }
}
