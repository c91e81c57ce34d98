public class Totals {
    public static long of(long[] a) {
        long sum = 0;
        for (int i = a.length - 1; i >= 0; i--) {
            sum += a[i];
        }
        return sum;
    }
}
