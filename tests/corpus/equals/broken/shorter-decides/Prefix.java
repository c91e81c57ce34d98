package text;

/** Compares as far as both go. */
public final class Prefix {
    private final char[] chars;

    public Prefix(String text) {
        chars = text.toCharArray();
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Prefix)) {
            return false;
        }
        char[] a = chars;
        char[] b = ((Prefix) o).chars;
        int n = a.length < b.length ? a.length : b.length;
        for (int i = 0; i < n; i++) {
            if (a[i] != b[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return 31;
    }
}
