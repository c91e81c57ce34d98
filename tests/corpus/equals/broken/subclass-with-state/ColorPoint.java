package draw;

public class ColorPoint extends Point {
    private final int color;

    public ColorPoint(int x, int y, int color) {
        super(x, y);
        this.color = color;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ColorPoint && super.equals(o) && color == ((ColorPoint) o).color;
    }
}
