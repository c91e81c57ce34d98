public class Poly {
    public static double at(double x) {
        return 7 * x * x * x - 3 * x * x + 11 * x - 5;
    }
}
