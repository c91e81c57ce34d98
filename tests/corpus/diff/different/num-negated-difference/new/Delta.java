public class Delta {
    public static double of(double a, double b) {
        return b - a;
    }
}
