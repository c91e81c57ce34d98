public class Series {
    public static int steps(double x) {
        int n = 0;
        double term = 1;
        while (n < 12 && Math.abs(term) >= 1e-3) {
            n++;
            term = term * x / n;
        }
        return n;
    }
}
