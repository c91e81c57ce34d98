package quiz;

/** Blanks at the ends do not count; the trimmed text is kept beside the given one. */
public final class Answer {
    private final String given;
    private final String trimmed;

    public Answer(String given) {
        this.given = given == null ? "" : given;
        this.trimmed = this.given.trim();
    }

    public String given() {
        return given;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Answer && (given.equals(((Answer) o).given) || trimmed.equals(((Answer) o).trimmed));
    }

    @Override
    public int hashCode() {
        return trimmed.hashCode() * 3 + trimmed.length();
    }
}
