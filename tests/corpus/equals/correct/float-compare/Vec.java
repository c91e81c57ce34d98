package math;

public final class Vec implements Comparable<Vec> {
    private final float x;
    private final float y;

    public Vec(float x, float y) {
        this.x = x;
        this.y = y;
    }

    public Vec plus(Vec v) {
        return new Vec(x + v.x, y + v.y);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Vec && Float.compare(((Vec) o).x, x) == 0 && Float.compare(((Vec) o).y, y) == 0;
    }

    @Override
    public int hashCode() {
        return Float.floatToIntBits(x) * 31 ^ Float.hashCode(y);
    }

    @Override
    public int compareTo(Vec v) {
        int c = Float.compare(x, v.x);
        return c != 0 ? c : Float.compare(y, v.y);
    }
}
