public class Floor {
    public static int of(double x) {
        return (int) Math.floor(x);
    }
}
