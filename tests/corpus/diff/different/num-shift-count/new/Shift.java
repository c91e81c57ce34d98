public class Shift {
    public static int left(int x, int n) {
        return x << n;
    }
}
