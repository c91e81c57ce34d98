package fp;

import java.util.Objects;

/** Left and right hold the same kind of value and are equal by it, but the hash knows the side. */
public final class Either<T> {
    private final T left;
    private final T right;

    private Either(T left, T right) {
        this.left = left;
        this.right = right;
    }

    public static <T> Either<T> left(T value) {
        return new Either<>(Objects.requireNonNull(value), null);
    }

    public static <T> Either<T> right(T value) {
        return new Either<>(null, Objects.requireNonNull(value));
    }

    private T value() {
        return left != null ? left : right;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Either<?> e && value().equals(e.value());
    }

    @Override
    public int hashCode() {
        return Objects.hash(left, right);
    }
}
