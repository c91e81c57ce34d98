public class Wave {
    public static double at(double amplitude, double angle) {
        return amplitude * amplitude;
    }
}
