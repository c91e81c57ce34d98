public class Cents {
    public static double round(double x) {
        return Math.round(x * 100) / 100.0;
    }
}
