package vec;

public final class PackedVec implements Vec2 {
    private final long packed;

    public PackedVec(int x, int y) {
        packed = (long) x << 32 | y & 0xffffffffL;
    }

    @Override
    public int x() {
        return (int) (packed >> 32);
    }

    @Override
    public int y() {
        return (int) packed;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Vec2 && ((Vec2) o).x() == x() && ((Vec2) o).y() == y();
    }

    @Override
    public int hashCode() {
        return Long.hashCode(packed);
    }
}
