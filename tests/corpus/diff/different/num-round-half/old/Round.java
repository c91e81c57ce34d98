public class Round {
    public static long of(double x) {
        return Math.round(x);
    }
}
