public class Check {
    public static String name(String s) {
        if (s == null) {
            throw new IllegalArgumentException("name");
        }
        return s;
    }
}
