public class Geo {
    public static boolean same(Point p, Point q) {
        return q != null && p.x() == q.x() && p.y() == q.y();
    }
}
