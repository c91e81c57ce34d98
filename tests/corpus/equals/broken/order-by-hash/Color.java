package paint;

/** Sorted by hash code for speed, in the belief that hashes are unique and small. */
public final class Color implements Comparable<Color> {
    private final String name;

    public Color(String name) {
        this.name = name == null ? "" : name;
    }

    @Override
    public int compareTo(Color c) {
        return Integer.compare(name.hashCode(), c.name.hashCode());
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Color && name.equals(((Color) o).name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
