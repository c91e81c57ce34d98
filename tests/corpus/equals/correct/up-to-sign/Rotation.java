package geo;

/** A quaternion and its negative are the same rotation. */
public final class Rotation {
    private final int w;
    private final int x;
    private final int y;

    public Rotation(int w, int x, int y) {
        this.w = w;
        this.x = x;
        this.y = y;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Rotation)) {
            return false;
        }
        Rotation r = (Rotation) o;
        return w == r.w && x == r.x && y == r.y || w == -r.w && x == -r.x && y == -r.y;
    }

    @Override
    public int hashCode() {
        return w * w + 31 * (x * y) + 17 * (w * x);
    }
}
