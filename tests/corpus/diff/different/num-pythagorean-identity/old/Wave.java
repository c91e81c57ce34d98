public class Wave {
    public static double at(double amplitude, double angle) {
        double x = amplitude * Math.sin(angle);
        double y = amplitude * Math.cos(angle);
        return x * x + y * y;
    }
}
