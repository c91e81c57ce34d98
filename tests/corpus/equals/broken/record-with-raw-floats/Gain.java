package audio;

/** Replaces the record's comparison of floats by ==. */
public record Gain(float left, float right) {
    @Override
    public boolean equals(Object o) {
        return o instanceof Gain g && left == g.left && right == g.right;
    }

    @Override
    public int hashCode() {
        return Float.hashCode(left + 0.0f) * 31 + Float.hashCode(right + 0.0f);
    }
}
