public class Verb {
    public static int code(String verb) {
        switch (verb) {
            case "a":
                return 1;
            case "ab":
                return 2;
            default:
                return 0;
        }
    }
}
