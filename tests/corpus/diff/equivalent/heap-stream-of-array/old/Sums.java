public class Sums {
    public static int positive(int[] a) {
        int sum = 0;
        for (int x : a) {
            if (x > 0) {
                sum += x;
            }
        }
        return sum;
    }
}
