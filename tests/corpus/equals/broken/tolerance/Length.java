package units;

/** Nearly equal is not an equivalence. */
public final class Length {
    private static final double EPSILON = 1e-6;

    private final double metres;

    public Length(double metres) {
        if (Double.isNaN(metres) || Double.isInfinite(metres)) {
            throw new IllegalArgumentException("length " + metres);
        }
        this.metres = metres;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Length && Math.abs(metres - ((Length) o).metres) < EPSILON;
    }

    @Override
    public int hashCode() {
        return 0;
    }
}
