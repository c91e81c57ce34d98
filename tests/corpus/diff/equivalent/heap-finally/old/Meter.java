public class Meter {
    public static int runs;

    public static int run(int[] a, int i) {
        try {
            return a[i];
        } finally {
            runs++;
        }
    }
}
