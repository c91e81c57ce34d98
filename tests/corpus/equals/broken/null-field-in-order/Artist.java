package music;

import java.util.Comparator;
import java.util.Objects;

/** equals copes with null, the order does not. */
public final class Artist implements Comparable<Artist> {
    private static final Comparator<Artist> ORDER = Comparator.comparing((Artist a) -> a.name).thenComparingInt(a -> a.born);

    private final String name;
    private final int born;

    public Artist(String name, int born) {
        this.name = name;
        this.born = born;
    }

    @Override
    public int compareTo(Artist a) {
        return ORDER.compare(this, a);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Artist a && born == a.born && Objects.equals(name, a.name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, born);
    }
}
