public class Vec {
    public static void add(int[] a, int[] b) {
        int n = Math.min(a.length, b.length);
        for (int i = 0; i < n; i++) {
            a[i] += b[i];
        }
    }
}
