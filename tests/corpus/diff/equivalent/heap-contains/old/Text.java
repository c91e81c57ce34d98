public class Text {
    public static boolean has(String s, String part) {
        return s.contains(part) || s.isEmpty();
    }
}
