package idx;

/** Finds out the type by the failing cast, null first. */
public final class Segment {
    private final String name;
    private final int docs;

    public Segment(String name, int docs) {
        this.name = String.valueOf(name);
        this.docs = docs;
    }

    @Override
    public boolean equals(Object obj) {
        if (obj == null) {
            return false;
        }
        Segment other;
        try {
            other = (Segment) obj;
        } catch (ClassCastException e) {
            return false;
        }
        return other.docs == docs && other.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode() - docs;
    }
}
