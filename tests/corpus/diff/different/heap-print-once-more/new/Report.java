public class Report {
    public static int line(String text) {
        System.out.println(text);
        if (text != null && text.length() > 2) {
            System.out.println("--");
        }
        return text == null ? 0 : text.length();
    }
}
