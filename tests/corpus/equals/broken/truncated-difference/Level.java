package audio;

/** A difference of less than one is cut to zero. */
public final class Level implements Comparable<Level> {
    private final double decibel;

    public Level(double decibel) {
        if (!(Math.abs(decibel) <= 1000)) {
            throw new IllegalArgumentException("level " + decibel);
        }
        this.decibel = decibel == 0 ? 0 : decibel;
    }

    @Override
    public int compareTo(Level l) {
        return (int) (decibel - l.decibel);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Level && decibel == ((Level) o).decibel;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(decibel);
    }
}
