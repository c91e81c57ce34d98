public class Sort {
    public static void three(int[] a) {
        if (a.length != 3) {
            return;
        }
        order(a, 0, 1);
        order(a, 1, 2);
        order(a, 0, 1);
    }

    private static void order(int[] a, int i, int j) {
        if (a[i] > a[j]) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
}
