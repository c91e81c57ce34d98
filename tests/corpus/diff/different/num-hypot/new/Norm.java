public class Norm {
    public static double of(double x, double y) {
        return Math.hypot(x, y);
    }
}
