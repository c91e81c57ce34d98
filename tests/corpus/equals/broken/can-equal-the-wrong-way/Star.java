package draw;

public class Star extends Figure {
    private final int rays;

    public Star(int size, int rays) {
        super(size);
        this.rays = rays;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof Star;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Star && super.equals(o) && rays == ((Star) o).rays;
    }
}
