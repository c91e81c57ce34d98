public class Floor {
    public static int of(double x) {
        int n = (int) x;
        return x < n ? n - 1 : n;
    }
}
