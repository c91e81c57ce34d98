package shop;

/** Where a shelf stands. */
public class Position {
    private final double x;
    private final double y;
    private String label;

    public Position(double x, double y) {
        this.x = x;
        this.y = y;
    }

    public void setLabel(String label) {
        this.label = label;
    }

    @Override
    public boolean equals(Object o) {
        if (o == null || o.getClass() != getClass()) {
            return false;
        }
        Position other = (Position) o;
        return x == other.x && y == other.y;
    }

    @Override
    public int hashCode() {
        long bits = Double.doubleToLongBits(x) * 31 + Double.doubleToLongBits(y);
        int hash = (int) (bits ^ (bits >>> 32));
        return label == null ? hash : hash + label.length();
    }
}
