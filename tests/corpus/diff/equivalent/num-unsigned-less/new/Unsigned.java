public class Unsigned {
    public static boolean less(int a, int b) {
        if (a < 0 == b < 0) {
            return a < b;
        }
        return b < 0;
    }
}
