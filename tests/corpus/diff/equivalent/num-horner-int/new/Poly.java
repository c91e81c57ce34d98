public class Poly {
    public static int at(int x) {
        int y = 7;
        y = y * x - 3;
        y = y * x + 11;
        return y * x - 5;
    }
}
