public class Find {
    public static int first(int[] a, int key) {
        int at = -1;
        for (int i = 0; i < a.length; i++) {
            if (a[i] == key) {
                at = i;
            }
        }
        return at;
    }
}
