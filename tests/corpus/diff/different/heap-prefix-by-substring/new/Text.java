public class Text {
    public static boolean starts(String s, String head) {
        return s.substring(0, head.length()).equals(head);
    }
}
