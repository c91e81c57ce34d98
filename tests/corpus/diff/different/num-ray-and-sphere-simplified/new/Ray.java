public class Ray {
    public static double disc(double a, double b, double c) {
        double h = b / (2 * a);
        return h * h - c / a;
    }
}
