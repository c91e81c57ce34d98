public class Geo {
    public static Point shift(Point p, int d) {
        return new Point(p.x() + d, p.y() - d);
    }
}
