public class Ring {
    private static final int SIZE = 16;

    public static int slot(int position, int step) {
        return position + step & SIZE - 1;
    }
}
