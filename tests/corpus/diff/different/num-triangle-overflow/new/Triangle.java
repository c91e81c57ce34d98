public class Triangle {
    public static boolean is(int a, int b, int c) {
        return a > 0 && b > 0 && c > 0 && a + b > c && b + c > a && a + c > b;
    }
}
