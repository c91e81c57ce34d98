public class Hash {
    public static int of(byte[] data) {
        int h = 1;
        int i = 0;
        for (; i + 1 < data.length; i += 2) {
            h = 31 * 31 * h + 31 * data[i] + data[i + 1];
        }
        if (i + 1 < data.length) {
            h = 31 * h + data[i];
        }
        return h;
    }
}
