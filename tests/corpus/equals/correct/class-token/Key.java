package inject;

import java.util.Objects;

/** Type test by Class.isInstance, comparison by class object and qualifier. */
public final class Key<T> {
    private final Class<T> type;
    private final String qualifier;

    public Key(Class<T> type, String qualifier) {
        this.type = type;
        this.qualifier = qualifier;
    }

    @Override
    public boolean equals(Object o) {
        if (!Key.class.isInstance(o)) {
            return false;
        }
        Key<?> k = Key.class.cast(o);
        return type == k.type && Objects.equals(qualifier, k.qualifier);
    }

    @Override
    public int hashCode() {
        return (type == null ? 0 : type.hashCode()) + Objects.hashCode(qualifier);
    }
}
