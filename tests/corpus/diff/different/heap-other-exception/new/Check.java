public class Check {
    public static String name(String s) {
        return java.util.Objects.requireNonNull(s, "name");
    }
}
