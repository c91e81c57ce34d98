public class Mode {
    public static boolean isFast(String s) {
        return s == "ab";
    }
}
