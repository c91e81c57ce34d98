public class Most {
    public static int of(int[] a) {
        int most = a[0];
        for (int i = 1; i < a.length; i++) {
            most = Math.max(most, a[i]);
        }
        return most;
    }
}
