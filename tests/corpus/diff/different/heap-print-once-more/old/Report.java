public class Report {
    public static int line(String text) {
        System.out.println(text);
        return text == null ? 0 : text.length();
    }
}
