public final class Circle {
    public int radius;
    public int area;

    public int area() {
        if (area == 0) {
            area = 3 * radius * radius;
        }
        return area;
    }
}
