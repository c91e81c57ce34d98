public class Nan {
    public static int count(double x, float y) {
        return (x != x ? 1 : 0) + (y < 0 || y >= 0 ? 0 : 1);
    }
}
