public class Meter {
    public static int runs;

    public static int run(int[] a, int i) {
        int result;
        try {
            result = a[i];
        } catch (RuntimeException e) {
            runs = runs + 1;
            throw e;
        }
        runs += 1;
        return result;
    }
}
