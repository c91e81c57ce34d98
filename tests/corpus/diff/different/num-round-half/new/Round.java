public class Round {
    public static long of(double x) {
        return (long) Math.floor(x + 0.5);
    }
}
