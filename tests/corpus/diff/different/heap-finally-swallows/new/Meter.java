public class Meter {
    @SuppressWarnings("finally")
    public static int run(int[] a, int i) {
        int result = -1;
        try {
            result = a[i];
        } finally {
            return result;
        }
    }
}
