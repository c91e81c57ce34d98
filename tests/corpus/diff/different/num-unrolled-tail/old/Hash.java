public class Hash {
    public static int of(byte[] data) {
        int h = 1;
        for (int i = 0; i < data.length; i++) {
            h = 31 * h + data[i];
        }
        return h;
    }
}
