public class Geo {
    public static boolean same(Point p, Point q) {
        if (q == null) {
            return p.x() != p.x();
        }
        return p.x() == q.x() && (p.name() == null ? q.name() == null : p.name().equals(q.name()));
    }
}
