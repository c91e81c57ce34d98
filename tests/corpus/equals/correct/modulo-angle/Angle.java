package geo;

/** Degrees modulo 360: the stored number is as given, comparing reduces it. */
public final class Angle implements Comparable<Angle> {
    private final int degrees;

    public Angle(int degrees) {
        this.degrees = degrees;
    }

    private int reduced() {
        int r = degrees % 360;
        return r < 0 ? r + 360 : r;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Angle && reduced() == ((Angle) o).reduced();
    }

    @Override
    public int hashCode() {
        return reduced();
    }

    @Override
    public int compareTo(Angle a) {
        return reduced() - a.reduced();
    }
}
