package codec;

public class Decoders {
    private static final int[] WIDTHS = new int[Tables.columns()];

    static {
        for (int i = 0; i < WIDTHS.length; i++) {
            WIDTHS[i] = i % 4 + 1;
        }
    }

    private Decoders() {}

    static String[] names() {
        return new String[] {"utf-" + 8 * WIDTHS.length, "latin1"};
    }

    public static int width(int i) {
        return i < 0 || i >= WIDTHS.length ? 1 : WIDTHS[i];
    }
}
