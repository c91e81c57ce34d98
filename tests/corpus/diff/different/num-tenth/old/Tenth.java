public class Tenth {
    public static double of(double x) {
        return x / 10.0;
    }
}
