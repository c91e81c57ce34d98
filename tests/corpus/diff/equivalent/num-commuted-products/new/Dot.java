public class Dot {
    public static double of(double a, double b, double c, double d) {
        double right = d * c;
        double left = b * a;
        return right + left;
    }
}
