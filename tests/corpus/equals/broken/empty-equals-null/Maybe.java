package opt;

import java.util.Objects;

/** An empty one takes itself for null. */
public final class Maybe<T> {
    private final T value;

    private Maybe(T value) {
        this.value = value;
    }

    public static <T> Maybe<T> of(T value) {
        return new Maybe<>(value);
    }

    @Override
    public boolean equals(Object o) {
        if (o == null) {
            return value == null;
        }
        return o instanceof Maybe && Objects.equals(value, ((Maybe<?>) o).value);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(value);
    }
}
