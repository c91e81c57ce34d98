public class Half {
    public static double of(double x) {
        return x / 4.0;
    }
}
