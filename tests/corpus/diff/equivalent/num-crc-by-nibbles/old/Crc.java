public class Crc {
    public static int next(int crc, int data) {
        int c = (crc ^ data) & 0xff;
        for (int i = 0; i < 8; i++) {
            c = (c & 0x80) != 0 ? c << 1 ^ 0x07 : c << 1;
            c &= 0xff;
        }
        return c;
    }
}
