public class Shift {
    public static int left(int x, int n) {
        return n < 0 || n > 31 ? 0 : x << n;
    }
}
