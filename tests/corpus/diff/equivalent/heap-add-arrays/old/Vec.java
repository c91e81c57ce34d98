public class Vec {
    public static void add(int[] a, int[] b) {
        for (int i = 0; i < Math.min(a.length, b.length); i++) {
            a[i] += b[i];
        }
    }
}
