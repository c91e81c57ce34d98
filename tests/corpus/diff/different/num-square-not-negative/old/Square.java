public class Square {
    public static boolean ok(int x) {
        return x * x >= 0;
    }
}
