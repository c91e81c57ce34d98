public class Meter {
    public static int run(int[] a, int i) {
        int result = -1;
        result = a[i];
        return result;
    }
}
