public class Scale {
    public static int sum(int[] a, int by, int offset) {
        int factor = by * by + offset;
        int sum = 0;
        for (int x : a) {
            sum += factor * x;
        }
        return sum;
    }
}
