public class Text {
    public static int length(String s) {
        try {
            return s.trim().length();
        } catch (NullPointerException e) {
            return 0;
        }
    }
}
