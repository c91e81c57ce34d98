public class Narrow {
    public static int high(int a) {
        return (short) a >> 8;
    }
}
