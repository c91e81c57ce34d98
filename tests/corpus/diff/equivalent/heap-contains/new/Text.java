public class Text {
    public static boolean has(String s, String part) {
        if (s.indexOf(part) >= 0) {
            return true;
        }
        return s.length() == 0;
    }
}
