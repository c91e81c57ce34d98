public class Check {
    public static String name(String s, String other) {
        if (s == null || other == null) {
            throw new NullPointerException("name");
        }
        return s.equals(other) ? "" : s;
    }
}
