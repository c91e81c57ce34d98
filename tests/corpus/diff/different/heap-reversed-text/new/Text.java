public class Text {
    public static String reverse(String s) {
        return new StringBuilder(s).reverse().toString();
    }
}
