public class Power {
    public static int of(int base, int exponent) {
        int result = 1;
        for (int i = 0; i <= exponent && i < 32; i++) {
            result *= base;
        }
        return result;
    }
}
