public class Ring {
    private static final int SIZE = 16;

    public static int slot(int position, int step) {
        int p = (position + step) % SIZE;
        return p < 0 ? p + SIZE : p;
    }
}
