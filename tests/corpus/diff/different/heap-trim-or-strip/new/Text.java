public class Text {
    public static String clean(String s) {
        return s.strip();
    }
}
