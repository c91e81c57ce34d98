public class Text {
    public static int shout(String s) {
        return s.toUpperCase(java.util.Locale.ROOT).length();
    }
}
