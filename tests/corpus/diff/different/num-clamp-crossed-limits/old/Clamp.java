public class Clamp {
    public static int to(int x, int low, int high) {
        return Math.max(low, Math.min(high, x));
    }
}
