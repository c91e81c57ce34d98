public class Cents {
    public static double round(double x) {
        return (long) (x * 100 + 0.5) / 100.0;
    }
}
