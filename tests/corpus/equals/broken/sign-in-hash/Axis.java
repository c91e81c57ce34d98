package geo;

/** An axis has no direction, but its hash has. */
public final class Axis {
    private final int x;
    private final int y;

    public Axis(int x, int y) {
        this.x = x;
        this.y = y;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Axis)) {
            return false;
        }
        Axis a = (Axis) o;
        return x == a.x && y == a.y || x == -a.x && y == -a.y;
    }

    @Override
    public int hashCode() {
        return x * x + y;
    }
}
