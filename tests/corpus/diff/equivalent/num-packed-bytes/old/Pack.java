public class Pack {
    public static int four(byte a, byte b, byte c, byte d) {
        return (a & 0xff) << 24 | (b & 0xff) << 16 | (c & 0xff) << 8 | d & 0xff;
    }
}
