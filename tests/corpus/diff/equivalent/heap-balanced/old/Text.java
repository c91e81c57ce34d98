public class Text {
    public static boolean balanced(String s) {
        int depth = 0;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == 'a') {
                depth++;
            } else if (c == 'b') {
                if (depth == 0) {
                    return false;
                }
                depth--;
            }
        }
        return depth == 0;
    }
}
