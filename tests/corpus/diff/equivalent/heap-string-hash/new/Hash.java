public class Hash {
    public static int of(String s) {
        int h = 0;
        for (char c : s.toCharArray()) {
            h = (h << 5) - h + c;
        }
        return h;
    }
}
