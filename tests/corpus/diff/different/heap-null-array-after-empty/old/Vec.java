public class Vec {
    public static void add(int[] a, int[] b) {
        for (int i = 0; i < a.length && i < b.length; i++) {
            a[i] += b[i];
        }
    }
}
