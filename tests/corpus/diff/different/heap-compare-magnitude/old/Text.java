public class Text {
    public static int order(String a, String b) {
        return a.compareTo(b);
    }
}
