package http;

/** Ignores case by one folding function, used by equals, the hash and the order alike. */
public final class HeaderName implements Comparable<HeaderName> {
    private final String text;

    public HeaderName(String text) {
        this.text = text == null ? "" : text;
    }

    private static char fold(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }

    @Override
    public int compareTo(HeaderName other) {
        int n = Math.min(text.length(), other.text.length());
        for (int i = 0; i < n; i++) {
            int d = fold(text.charAt(i)) - fold(other.text.charAt(i));
            if (d != 0) {
                return d;
            }
        }
        return text.length() - other.text.length();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof HeaderName && compareTo((HeaderName) o) == 0;
    }

    @Override
    public int hashCode() {
        int h = 0;
        for (int i = 0; i < text.length(); i++) {
            h = 31 * h + fold(text.charAt(i));
        }
        return h;
    }

    @Override
    public String toString() {
        return text;
    }
}
