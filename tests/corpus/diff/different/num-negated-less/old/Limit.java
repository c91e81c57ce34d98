public class Limit {
    public static boolean above(double x, double limit) {
        return !(x < limit);
    }
}
