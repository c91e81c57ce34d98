public class Geo {
    public static boolean same(Point p, Point q) {
        return p.equals(q);
    }
}
