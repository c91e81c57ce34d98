public class Arrays2 {
    public static void shift(int[] a) {
        if (a.length > 1) {
            System.arraycopy(a, 0, a, 1, a.length - 1);
        }
    }
}
