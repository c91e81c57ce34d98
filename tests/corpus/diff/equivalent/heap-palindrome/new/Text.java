public class Text {
    public static boolean palindrome(String s) {
        char[] c = s.toCharArray();
        int n = c.length;
        boolean same = true;
        for (int i = 0; i < n; i++) {
            same &= c[i] == c[n - i - 1];
        }
        return same;
    }
}
