public class Text {
    public static boolean starts(String s, String head) {
        return s.startsWith(head);
    }
}
