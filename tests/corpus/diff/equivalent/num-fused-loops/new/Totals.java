public class Totals {
    public static int spread(int[] a) {
        int sum = 0;
        int squares = 0;
        for (int i = 0; i < a.length; i++) {
            int x = a[i];
            squares += x * x;
            sum += x;
        }
        return squares * a.length - sum * sum;
    }
}
