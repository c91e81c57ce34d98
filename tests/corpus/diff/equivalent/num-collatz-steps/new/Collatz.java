public class Collatz {
    public static int steps(int n) {
        int steps = 0;
        for (; steps < 20 && n != 1; steps++) {
            if ((n & 1) == 0) {
                n >>= 1;
            } else {
                n += (n << 1) + 1;
            }
        }
        return steps;
    }
}
