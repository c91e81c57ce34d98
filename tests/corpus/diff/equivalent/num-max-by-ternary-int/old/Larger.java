public class Larger {
    public static long of(long a, long b, long c) {
        return Math.max(a, Math.max(b, c));
    }
}
