public class Larger {
    public static double of(double a, double b) {
        return Math.max(a, b);
    }
}
