public class Arrays2 {
    public static void shift(int[] a) {
        for (int i = a.length - 1; i > 0; i--) {
            a[i] = a[i - 1];
        }
    }
}
