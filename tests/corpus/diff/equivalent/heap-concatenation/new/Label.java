public class Label {
    public static String of(String name, int n, char mark) {
        StringBuilder out = new StringBuilder();
        out.append(name);
        out.append(':').append(n);
        out.append(mark);
        return out.append("null").toString();
    }
}
