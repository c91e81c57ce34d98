public class Digits {
    public static int sum(long n) {
        int sum = 0;
        for (; n != 0; ) {
            long q = n / 10;
            int digit = (int) (n - q * 10);
            sum += digit < 0 ? -digit : digit;
            n = q;
        }
        return sum;
    }
}
