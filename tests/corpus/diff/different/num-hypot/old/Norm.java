public class Norm {
    public static double of(double x, double y) {
        return Math.sqrt(x * x + y * y);
    }
}
