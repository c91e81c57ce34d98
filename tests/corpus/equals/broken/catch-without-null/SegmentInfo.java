package idx;

/** Catches the failing cast and forgets that null casts to everything. */
public final class SegmentInfo {
    private final String name;

    public SegmentInfo(String name) {
        this.name = name == null ? "_0" : name;
    }

    @Override
    public boolean equals(Object obj) {
        SegmentInfo other;
        try {
            other = (SegmentInfo) obj;
        } catch (ClassCastException e) {
            return false;
        }
        return other.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
