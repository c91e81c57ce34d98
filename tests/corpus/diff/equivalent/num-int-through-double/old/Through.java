public class Through {
    public static long and(int x, long y) {
        return (int) (double) x + y;
    }
}
