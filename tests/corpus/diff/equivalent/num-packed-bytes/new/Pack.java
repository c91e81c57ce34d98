public class Pack {
    public static int four(byte a, byte b, byte c, byte d) {
        int word = a;
        word = word * 256 + (b & 255);
        word = word * 256 + (c & 255);
        return (word << 8) + (d & 255);
    }
}
