public class Ratio {
    public static int of(int a, int b) {
        return 100 * a / b;
    }
}
