public class Vec {
    public static void add(int[] a, int[] b) {
        for (int i = Math.min(a.length, b.length) - 1; i >= 1; i--) {
            a[i] += b[i - 1];
        }
    }
}
