public class Poly {
    public static double at(double x) {
        return ((7 * x - 3) * x + 11) * x - 5;
    }
}
