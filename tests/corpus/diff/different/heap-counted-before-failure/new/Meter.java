public class Meter {
    public static int runs;

    public static int run(String s) {
        runs++;
        return s.length();
    }
}
