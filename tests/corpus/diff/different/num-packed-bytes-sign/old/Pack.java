public class Pack {
    public static int two(byte a, byte b) {
        return (a & 0xff) << 8 | b & 0xff;
    }
}
