public class Zero {
    public static double subtract(double x, double y) {
        double offset = 0.0;
        return (x - offset) * 1.0 / y;
    }
}
