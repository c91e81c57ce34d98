package html;

/** One method goes up, the other goes down, and a few letters do not come back. */
public final class Tag {
    private final char letter;

    public Tag(char letter) {
        this.letter = letter;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Tag && Character.toUpperCase(letter) == Character.toUpperCase(((Tag) o).letter);
    }

    @Override
    public int hashCode() {
        return Character.toLowerCase(letter);
    }
}
