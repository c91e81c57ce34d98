public class Triangle {
    public static boolean is(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) {
            return false;
        }
        return a > c - b && b > a - c && c > b - a;
    }
}
