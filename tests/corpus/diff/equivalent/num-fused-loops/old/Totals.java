public class Totals {
    public static int spread(int[] a) {
        int sum = 0;
        for (int x : a) {
            sum += x;
        }
        int squares = 0;
        for (int x : a) {
            squares += x * x;
        }
        return a.length * squares - sum * sum;
    }
}
