public class Series {
    public static double exp(double x) {
        double sum = 1;
        double term = 1;
        for (int n = 1; n < 12; n++) {
            term = term * x / n;
            sum += term;
            if (Math.abs(term) < 1e-9) {
                break;
            }
        }
        return sum;
    }
}
