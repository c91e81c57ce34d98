public class Bits {
    public static boolean odd(long x) {
        boolean odd = false;
        for (int i = 0; i < 64; i++) {
            odd ^= (x >>> i & 1) == 1;
        }
        return odd;
    }
}
