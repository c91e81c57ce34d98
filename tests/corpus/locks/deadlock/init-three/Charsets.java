package codec;

public class Charsets {
    static final String[] NAMES = Decoders.names();

    private Charsets() {}

    public static boolean isKnown(String name) {
        for (String known : NAMES) {
            if (name.equalsIgnoreCase(known)) {
                return true;
            }
        }
        return false;
    }

    static int count() {
        return NAMES == null ? 0 : NAMES.length;
    }
}
