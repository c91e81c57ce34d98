public class Twice {
    public static double of(double x, float y) {
        return 2.0 * x + (y + y);
    }
}
