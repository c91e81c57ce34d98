public class Through {
    public static long and(int x, long y) {
        return y + x;
    }
}
