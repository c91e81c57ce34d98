public class Ratio {
    public static int of(int a, int b) {
        if (b == 0) {
            throw new ArithmeticException("ratio with nothing");
        }
        int scaled = a * 100;
        return b == -1 ? -scaled : scaled / b;
    }
}
