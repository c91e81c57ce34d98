public class Digits {
    public static int sum(long n) {
        int sum = 0;
        while (n != 0) {
            sum += (int) Math.abs(n % 10);
            n /= 10;
        }
        return sum;
    }
}
