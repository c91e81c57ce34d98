public class Fib {
    public static long of(int n) {
        if (n < 0 || n > 15) {
            throw new IllegalArgumentException("n");
        }
        return n < 2 ? n : of(n - 1) + of(n - 2);
    }
}
