public class Text {
    public static void reverse(char[] c) {
        int n = c.length;
        for (int i = 0; i < n / 2; i++) {
            char t = c[n - 1 - i];
            c[n - 1 - i] = c[i];
            c[i] = t;
        }
    }
}
