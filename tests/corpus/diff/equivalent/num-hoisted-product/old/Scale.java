public class Scale {
    public static int sum(int[] a, int by, int offset) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * (by * by + offset);
        }
        return sum;
    }
}
