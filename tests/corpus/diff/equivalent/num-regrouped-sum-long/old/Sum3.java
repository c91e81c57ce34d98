public class Sum3 {
    public static long of(long a, long b, int c) {
        return a + b + c;
    }
}
