public class Interest {
    public static double after(double amount, double rate, int years) {
        for (int i = 0; i < years && i < 50; i++) {
            amount *= 1 + rate;
        }
        return amount;
    }
}
