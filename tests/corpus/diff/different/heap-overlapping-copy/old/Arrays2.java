public class Arrays2 {
    public static void shift(int[] a) {
        System.arraycopy(a, 0, a, 1, Math.max(0, a.length - 1));
    }
}
