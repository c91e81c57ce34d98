public class Series {
    public static double exp(double x) {
        double sum = 1;
        double term = 1;
        int n = 0;
        do {
            n++;
            term = x * term / n;
            sum = term + sum;
        } while (n < 11 && !(Math.abs(term) < 1e-9));
        return sum;
    }
}
