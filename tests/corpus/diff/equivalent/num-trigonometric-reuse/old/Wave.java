public class Wave {
    public static double at(double amplitude, double phase, double t) {
        double x = amplitude * Math.sin(t + phase);
        double y = amplitude * Math.cos(t + phase);
        return x * x + y * y;
    }
}
