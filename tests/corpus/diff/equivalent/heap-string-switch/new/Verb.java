public class Verb {
    public static int code(String verb) {
        if (verb.equals("a")) {
            return 1;
        }
        return verb.equals("abc") || verb.equals("ab") ? 2 : 0;
    }
}
