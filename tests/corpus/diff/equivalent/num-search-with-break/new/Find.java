public class Find {
    public static int first(int[] a, int key) {
        int at = -1;
        int i = 0;
        while (at < 0 && i < a.length) {
            if (key == a[i]) {
                at = i;
            }
            i++;
        }
        return at;
    }
}
