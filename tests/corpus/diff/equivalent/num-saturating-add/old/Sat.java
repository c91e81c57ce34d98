public class Sat {
    public static int add(int a, int b) {
        long sum = (long) a + b;
        if (sum > Integer.MAX_VALUE) {
            return Integer.MAX_VALUE;
        }
        return sum < Integer.MIN_VALUE ? Integer.MIN_VALUE : (int) sum;
    }
}
