public class Text {
    public static int shout(String s) {
        int n = 0;
        for (char c : s.toCharArray()) {
            n += String.valueOf(Character.toUpperCase(c)).length();
        }
        return n;
    }
}
