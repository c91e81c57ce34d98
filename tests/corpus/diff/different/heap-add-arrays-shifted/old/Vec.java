public class Vec {
    public static void add(int[] a, int[] b) {
        for (int i = 1; i < a.length && i < b.length; i++) {
            a[i] += b[i - 1];
        }
    }
}
