public final class Circle {
    public int radius;
    public int area;

    public int area() {
        area = 3 * radius * radius;
        return area;
    }
}
