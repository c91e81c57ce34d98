package draw;

/** The hash uses the area and the label, which are functions of what equals compares. */
public final class Rectangle {
    private final int width;
    private final int height;
    private final long area;
    private final String label;

    public Rectangle(int width, int height) {
        this.width = width;
        this.height = height;
        this.area = (long) width * height;
        this.label = width + "x" + height;
    }

    public long area() {
        return area;
    }

    @Override
    public boolean equals(Object o) {
        if (o instanceof Rectangle) {
            Rectangle r = (Rectangle) o;
            return r.width == width && r.height == height;
        }
        return false;
    }

    @Override
    public int hashCode() {
        return (int) (area ^ area >>> 32) + label.hashCode();
    }
}
