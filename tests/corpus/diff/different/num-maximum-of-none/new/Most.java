public class Most {
    public static int of(int[] a) {
        int most = Integer.MIN_VALUE;
        for (int x : a) {
            most = Math.max(most, x);
        }
        return most;
    }
}
