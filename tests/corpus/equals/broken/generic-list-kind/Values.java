package coll;

import java.util.Collection;

/** The kind of collection is the caller's: lists and sets of the same values hash alike but are not equal. */
public final class Values {
    private final Collection<String> values;

    public Values(Collection<String> values) {
        this.values = values == null ? java.util.List.of() : values;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Values)) {
            return false;
        }
        Collection<String> other = ((Values) o).values;
        return values.size() == other.size() && values.containsAll(other) && other.containsAll(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }
}
