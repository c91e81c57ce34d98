public class Through {
    public static int and(int x) {
        return (int) (float) x;
    }
}
