public class Text {
    public static String join(String[] parts, char separator) {
        String out = "";
        String before = "";
        for (String part : parts) {
            out = out + before + part;
            before = String.valueOf(separator);
        }
        return out;
    }
}
