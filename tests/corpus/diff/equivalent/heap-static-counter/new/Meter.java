public class Meter {
    public static int last;
    public static int calls;

    public static int next(boolean skip) {
        int before = last;
        last = skip ? before + 2 : before + 1;
        calls = calls + 1;
        return before;
    }
}
