public class Tenth {
    public static double of(double x) {
        return x * 0.1;
    }
}
