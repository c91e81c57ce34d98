public class Power {
    public static int of(int base, int exponent) {
        int n = exponent & 15;
        int result = 1;
        while (n > 0) {
            if ((n & 1) != 0) {
                result *= base;
            }
            base *= base;
            n >>= 1;
        }
        return result;
    }
}
