public class Geo {
    public static Point shift(Point p, int d) {
        int y = p.y() - d;
        int x = d + p.x();
        return new Point(x, y);
    }
}
