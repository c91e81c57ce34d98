public class Dot {
    public static double of(double a, double b, double c, double d) {
        return a * b + c * d;
    }
}
