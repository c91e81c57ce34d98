public class Mul {
    public static int by(int x) {
        return x * 45;
    }
}
