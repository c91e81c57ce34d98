package draw;

import java.util.Objects;

public class ColorPoint extends Point {
    private final String color;

    public ColorPoint(int x, int y, String color) {
        super(x, y);
        this.color = color;
    }

    @Override
    protected boolean canEqual(Object other) {
        return other instanceof ColorPoint;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ColorPoint && super.equals(o) && Objects.equals(color, ((ColorPoint) o).color);
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + Objects.hashCode(color);
    }
}
