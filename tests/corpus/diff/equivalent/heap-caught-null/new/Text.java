public class Text {
    public static int length(String s) {
        return s == null ? 0 : s.trim().length();
    }
}
