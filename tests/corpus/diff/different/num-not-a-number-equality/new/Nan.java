public class Nan {
    public static boolean is(double x) {
        return x == Double.NaN;
    }
}
