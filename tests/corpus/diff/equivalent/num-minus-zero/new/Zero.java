public class Zero {
    public static double subtract(double x, double y) {
        return x / y;
    }
}
