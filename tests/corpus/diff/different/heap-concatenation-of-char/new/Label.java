public class Label {
    public static String of(int n, char mark) {
        return n + mark + "";
    }
}
