public class Sieve {
    public static boolean[] of(int n) {
        int size = (n & 31) + 2;
        boolean[] composite = new boolean[size];
        for (int i = 2; i * i < size; i++) {
            if (!composite[i]) {
                for (int j = i * i; j < size; j += i) {
                    composite[j] = true;
                }
            }
        }
        return composite;
    }
}
