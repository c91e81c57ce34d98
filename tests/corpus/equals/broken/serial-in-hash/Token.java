package auth;

/** Every object gets its own hash when it is made, equal or not. */
public final class Token {
    private static int made;

    private final String text;
    private final int hash;

    public Token(String text) {
        this.text = text == null ? "" : text;
        this.hash = 31 * this.text.length() + made++;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Token && text.equals(((Token) o).text);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
