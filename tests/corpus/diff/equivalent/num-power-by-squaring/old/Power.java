public class Power {
    public static int of(int base, int exponent) {
        int n = exponent & 15;
        int result = 1;
        for (int i = 0; i < n; i++) {
            result *= base;
        }
        return result;
    }
}
