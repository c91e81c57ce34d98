public class Det {
    public static int of(int a, int b, int c, int d, int e, int f, int g, int h, int i) {
        return a * e * i + b * f * g + c * d * h - c * e * g - b * d * i - a * f * h;
    }
}
