public class Shift {
    public static long left(long x, int n) {
        return x << (n & 63) >>> n;
    }
}
