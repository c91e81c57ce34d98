public class Clamp {
    public static int to(int x, int low, int high) {
        return Math.min(high, Math.max(low, x));
    }
}
