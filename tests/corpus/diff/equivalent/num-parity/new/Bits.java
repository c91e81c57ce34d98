public class Bits {
    public static boolean odd(long x) {
        x ^= x >>> 32;
        x ^= x >>> 16;
        x ^= x >>> 8;
        x ^= x >>> 4;
        return (0x6996 >>> (int) (x & 15) & 1) != 0;
    }
}
