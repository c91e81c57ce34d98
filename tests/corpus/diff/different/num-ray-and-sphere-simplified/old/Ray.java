public class Ray {
    public static double disc(double a, double b, double c) {
        return (b * b - 4 * a * c) / (4 * a * a);
    }
}
