package lang;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.TreeSet;

/** A set of strings that ignores case, and inherits what equality means for sets. */
public final class Keywords extends AbstractSet<String> {
    private final TreeSet<String> words = new TreeSet<>();

    @Override
    public boolean add(String word) {
        return words.add(word.toLowerCase(Locale.ROOT));
    }

    @Override
    public boolean contains(Object o) {
        return o instanceof String && words.contains(((String) o).toLowerCase(Locale.ROOT));
    }

    @Override
    public Iterator<String> iterator() {
        return words.iterator();
    }

    @Override
    public int size() {
        return words.size();
    }

    @Override
    public boolean equals(Object o) {
        return super.equals(o);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
