package geom;

/** A missing break lets the circle look at the side as well. */
public final class Shape2 {
    private final String kind;
    private final int radius;
    private final int side;

    public Shape2(String kind, int radius, int side) {
        this.kind = kind == null ? "none" : kind;
        this.radius = radius;
        this.side = side;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Shape2)) {
            return false;
        }
        Shape2 s = (Shape2) o;
        switch (kind) {
            case "circle":
                return s.kind.equals(kind) && radius == s.radius;
            case "square":
                return side == s.side;
            default:
                return s.kind.equals(kind);
        }
    }

    @Override
    public int hashCode() {
        return 3;
    }
}
