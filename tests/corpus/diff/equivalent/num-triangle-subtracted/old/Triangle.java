public class Triangle {
    public static boolean is(int a, int b, int c) {
        return a > 0 && b > 0 && c > 0 && (long) a + b > c && (long) b + c > a && (long) a + c > b;
    }
}
