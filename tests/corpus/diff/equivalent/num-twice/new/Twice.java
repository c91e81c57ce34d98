public class Twice {
    public static double of(double x, float y) {
        return 2f * y + (x + x);
    }
}
