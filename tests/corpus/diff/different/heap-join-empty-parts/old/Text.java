public class Text {
    public static String join(String[] parts) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) {
                out.append(',');
            }
            out.append(parts[i]);
        }
        return out.toString();
    }
}
