public class Arrays2 {
    public static void shift(int[] a) {
        for (int i = 1; i < a.length; i++) {
            a[i] = a[i - 1];
        }
    }
}
