public class Sieve {
    public static boolean[] of(int n) {
        boolean[] composite = new boolean[(n & 31) + 2];
        for (int i = 2; i < composite.length; i++) {
            for (int j = 2 * i; j < composite.length; j += i) {
                composite[j] = true;
            }
        }
        return composite;
    }
}
