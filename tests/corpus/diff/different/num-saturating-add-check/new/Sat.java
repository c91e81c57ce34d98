public class Sat {
    public static int add(int a, int b) {
        int sum = a + b;
        if (a > 0 && b > 0 && sum < 0) {
            return Integer.MAX_VALUE;
        }
        if (a < 0 && b < 0 && sum > 0) {
            return Integer.MIN_VALUE;
        }
        return sum;
    }
}
