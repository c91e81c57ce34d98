public class Fib {
    public static long of(int n) {
        if (n > 15 || n < 0) {
            throw new IllegalArgumentException("n out of range: " + n);
        }
        long a = 0;
        long b = 1;
        while (n-- > 0) {
            long c = a + b;
            a = b;
            b = c;
        }
        return a;
    }
}
