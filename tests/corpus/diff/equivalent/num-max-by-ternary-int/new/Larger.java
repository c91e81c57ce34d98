public class Larger {
    public static long of(long a, long b, long c) {
        long best = c;
        if (b > best) {
            best = b;
        }
        return best > a ? best : a;
    }
}
