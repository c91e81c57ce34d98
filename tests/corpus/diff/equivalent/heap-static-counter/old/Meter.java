public class Meter {
    public static int last;
    public static int calls;

    public static int next(boolean skip) {
        calls++;
        if (!skip) {
            return last++;
        }
        last += 2;
        return last - 2;
    }
}
