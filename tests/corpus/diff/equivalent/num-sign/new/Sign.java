public class Sign {
    public static int of(int x) {
        return x >> 31 | -x >>> 31;
    }
}
