public class Text {
    public static String join(String[] parts) {
        StringBuilder out = new StringBuilder();
        for (String part : parts) {
            if (out.length() > 0) {
                out.append(',');
            }
            out.append(part);
        }
        return out.toString();
    }
}
