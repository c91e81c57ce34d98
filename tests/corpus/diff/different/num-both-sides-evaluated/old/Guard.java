public class Guard {
    public static boolean ok(int a, int b) {
        return b != 0 && a / b > 2;
    }
}
