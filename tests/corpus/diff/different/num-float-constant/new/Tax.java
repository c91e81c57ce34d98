public class Tax {
    public static double gross(double net) {
        return net * 1.19f;
    }
}
