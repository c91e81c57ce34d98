public class Half {
    public static double of(double x) {
        return 0.25 * x;
    }
}
