public class Crc {
    private static int nibble(int n) {
        int c = n << 4;
        for (int i = 4; i > 0; i--) {
            c = c << 1 ^ ((c >> 7 & 1) == 0 ? 0 : 0x107);
        }
        return c & 0xff;
    }

    public static int next(int crc, int data) {
        int c = (crc ^ data) & 0xff;
        c = c << 4 & 0xf0 ^ nibble(c >> 4);
        return c << 4 & 0xf0 ^ nibble(c >> 4);
    }
}
