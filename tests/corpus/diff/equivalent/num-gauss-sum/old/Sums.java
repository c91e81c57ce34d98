public class Sums {
    public static int upTo(int n) {
        if (n > 100) {
            n = 100;
        }
        int sum = 0;
        for (int i = 1; i <= n; i++) {
            sum += i;
        }
        return sum;
    }
}
