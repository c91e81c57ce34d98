public class Sort {
    public static void three(int[] a) {
        if (a.length != 3) {
            return;
        }
        int low = Math.min(a[0], Math.min(a[1], a[2]));
        int high = Math.max(a[0], Math.max(a[1], a[2]));
        a[1] = a[0] + a[1] + a[2] - low - high;
        a[0] = low;
        a[2] = high;
    }
}
