public class Mode {
    public static boolean isFast(String s) {
        return "ab".equals(s);
    }
}
