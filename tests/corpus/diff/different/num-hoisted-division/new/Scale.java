public class Scale {
    public static int sum(int[] a, int by) {
        int factor = 100 / by;
        int sum = 0;
        for (int x : a) {
            sum += x * factor;
        }
        return sum;
    }
}
