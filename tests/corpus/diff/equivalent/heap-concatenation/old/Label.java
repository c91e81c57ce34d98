public class Label {
    public static String of(String name, int n, char mark) {
        return name + ":" + n + mark + null;
    }
}
