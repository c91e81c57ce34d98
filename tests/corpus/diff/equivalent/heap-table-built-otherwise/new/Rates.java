public class Rates {
    private static final int[] SQUARES = new int[8];

    static {
        int odd = 1;
        for (int i = 1; i < SQUARES.length; i++) {
            SQUARES[i] = SQUARES[i - 1] + odd;
            odd += 2;
        }
    }

    public static int of(int i) {
        return SQUARES[i & 7];
    }
}
