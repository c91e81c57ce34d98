public class Norm {
    public static double of(double x, double y, boolean squared) {
        double n = x * x + y * y;
        return squared ? n : Math.sqrt(n);
    }
}
