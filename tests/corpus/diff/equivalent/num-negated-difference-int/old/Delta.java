public class Delta {
    public static long of(int a, int b, long scale) {
        return -(a - b) * scale;
    }
}
