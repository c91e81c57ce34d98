public class Larger {
    public static double of(double a, double b) {
        return a > b ? a : b;
    }
}
