public class Wave {
    public static double at(double amplitude, double phase, double t) {
        double angle = phase + t;
        double y = Math.cos(angle) * amplitude;
        double x = Math.sin(angle) * amplitude;
        return y * y + x * x;
    }
}
