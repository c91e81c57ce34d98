public class Arrays2 {
    public static int[] sorted(int[] a) {
        if (a.length < 2) {
            return a;
        }
        int[] b = a.clone();
        java.util.Arrays.sort(b);
        return b;
    }
}
