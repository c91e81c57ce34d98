public class Norm {
    public static double of(double x, double y, boolean squared) {
        if (!squared) {
            return Math.sqrt(y * y + x * x);
        }
        return y * y + x * x;
    }
}
