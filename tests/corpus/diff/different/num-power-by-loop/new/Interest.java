public class Interest {
    public static double after(double amount, double rate, int years) {
        return amount * Math.pow(1 + rate, Math.max(0, Math.min(50, years)));
    }
}
