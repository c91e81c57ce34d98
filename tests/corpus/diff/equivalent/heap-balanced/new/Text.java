public class Text {
    public static boolean balanced(String s) {
        int[] opened = new int[s.length()];
        int top = 0;
        for (int i = 0; i < s.length(); i++) {
            switch (s.charAt(i)) {
                case 'a':
                    opened[top++] = i;
                    break;
                case 'b':
                    if (--top < 0) {
                        return false;
                    }
                    break;
                default:
                    break;
            }
        }
        return top <= 0;
    }
}
