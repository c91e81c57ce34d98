package vec;

public final class DenseVec implements Vec2 {
    private final int[] xy;

    public DenseVec(int x, int y) {
        xy = new int[] {x, y};
    }

    @Override
    public int x() {
        return xy[0];
    }

    @Override
    public int y() {
        return xy[1];
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Vec2 && ((Vec2) o).x() == x() && ((Vec2) o).y() == y();
    }

    @Override
    public int hashCode() {
        return java.util.Arrays.hashCode(xy);
    }
}
