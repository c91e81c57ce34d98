public class Unsigned {
    public static boolean less(int a, int b) {
        return (a & 0xffffffffL) < (b & 0xffffffffL);
    }
}
