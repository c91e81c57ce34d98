public class Steps {
    public static int weighted(int[] a, int step) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] ^ i * step;
        }
        return sum;
    }
}
