package draw;

import java.util.Objects;

/** Compares the paint only with other painted shapes. */
public class Painted extends Shape {
    private final String paint;

    public Painted(int area, String paint) {
        super(area);
        this.paint = paint;
    }

    @Override
    public boolean equals(Object o) {
        if (!super.equals(o)) {
            return false;
        }
        return !(o instanceof Painted) || Objects.equals(paint, ((Painted) o).paint);
    }
}
