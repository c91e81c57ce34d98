/** Plain enough for the oldest class files. */
public class Small {
    static int calls;
    protected String name = "small";

    int twice(int n) {
        try {
            calls++;
            return n < 0 ? -n : n + n;
        } catch (RuntimeException e) {
            return name.length();
        }
    }
}
