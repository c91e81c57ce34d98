public class Rates {
    private static final int[] PERCENT = {0, 7, 19, 25};

    public static int of(int band) {
        return PERCENT[band & 3];
    }
}
