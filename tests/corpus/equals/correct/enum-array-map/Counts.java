package stat;

/** A map from an enum to ints, as an array and a mask of what is present. */
public final class Counts {
    public enum Kind { HIT, MISS, ERROR }

    private final int[] values = new int[Kind.values().length];
    private int present;

    public Counts put(Kind kind, int value) {
        values[kind.ordinal()] = value;
        present |= 1 << kind.ordinal();
        return this;
    }

    public Counts remove(Kind kind) {
        present &= ~(1 << kind.ordinal());
        return this;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Counts)) {
            return false;
        }
        Counts c = (Counts) o;
        if (present != c.present) {
            return false;
        }
        for (int i = 0; i < values.length; i++) {
            if ((present & 1 << i) != 0 && values[i] != c.values[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int h = present;
        for (int i = 0; i < values.length; i++) {
            h += (present >> i & 1) * values[i] * (i + 1);
        }
        return h;
    }
}
