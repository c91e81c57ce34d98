package conf;

public final class Layout {
    public static final int COLUMNS = 16;
    public static final String TITLE = "at most " + Limits.MAX_ROWS;
    private static final long[] WIDTHS = new long[Limits.MAX_ROWS];

    static {
        for (int i = 0; i < WIDTHS.length; i++) {
            WIDTHS[i] = Limits.MAX_CELLS / (i + 1);
        }
    }

    private Layout() {}

    public static long width(int i) {
        return WIDTHS[Math.floorMod(i, WIDTHS.length)];
    }
}
