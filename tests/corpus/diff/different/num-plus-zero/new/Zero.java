public class Zero {
    public static double add(double x) {
        return x;
    }
}
