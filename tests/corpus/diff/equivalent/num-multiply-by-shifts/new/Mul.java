public class Mul {
    public static int by(int x) {
        int t = (x << 3) + x;
        return (t << 2) + t;
    }
}
