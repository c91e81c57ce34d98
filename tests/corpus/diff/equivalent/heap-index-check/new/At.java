public class At {
    public static int get(int[] a, int i) {
        int n = a.length;
        return i >= 0 && i < n ? a[i] : -1;
    }
}
