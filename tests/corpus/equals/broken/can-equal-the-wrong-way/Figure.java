package draw;

public class Figure {
    protected final int size;

    public Figure(int size) {
        this.size = size;
    }

    public boolean canEqual(Object other) {
        return other instanceof Figure;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Figure && canEqual(o) && size == ((Figure) o).size;
    }

    @Override
    public int hashCode() {
        return size;
    }
}
