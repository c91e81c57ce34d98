public class Det {
    public static int of(int a, int b, int c, int d, int e, int f, int g, int h, int i) {
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    }
}
