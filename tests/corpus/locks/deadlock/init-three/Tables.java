package codec;

public class Tables {
    private static final byte[][] PAGES;

    static {
        int n = Math.max(1, Charsets.count());
        byte[][] pages = new byte[n][];
        for (int i = 0; i < n; i++) {
            pages[i] = new byte[256];
        }
        PAGES = pages;
    }

    private Tables() {}

    static int columns() {
        return PAGES.length;
    }

    public static byte at(int page, int index) {
        return PAGES[page % PAGES.length][index & 255];
    }
}
