public class Nan {
    public static boolean is(double x) {
        return Double.isNaN(x);
    }
}
