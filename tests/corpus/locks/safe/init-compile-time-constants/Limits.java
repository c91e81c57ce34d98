package conf;

/** Each reads a constant of the other: javac copies them, no initialiser is triggered. */
public final class Limits {
    public static final int MAX_ROWS = 500;
    public static final int MAX_CELLS = MAX_ROWS * Layout.COLUMNS;
    private static final int[] BUFFER = new int[Layout.COLUMNS];

    private Limits() {}

    public static int buffer(int i) {
        return BUFFER[Math.floorMod(i, BUFFER.length)];
    }
}
