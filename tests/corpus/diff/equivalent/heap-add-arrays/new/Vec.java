public class Vec {
    public static void add(int[] a, int[] b) {
        int n = a.length;
        if (b.length < n) {
            n = b.length;
        }
        for (int i = n - 1; i >= 0; i--) {
            a[i] = b[i] + a[i];
        }
    }
}
