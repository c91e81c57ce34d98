public class Text {
    public static int order(String a, String b) {
        return Integer.signum(a.compareTo(b));
    }
}
