public class Shift {
    public static long left(long x, int n) {
        return x & -1L >>> n;
    }
}
