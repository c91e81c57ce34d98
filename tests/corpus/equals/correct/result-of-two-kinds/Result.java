package flow;

import java.util.Objects;

/** Success and failure with generics, switches and patterns. */
public sealed interface Result<T> {
    record Ok<T>(T value) implements Result<T> {}

    record Failed<T>(String reason, int code) implements Result<T> {
        public Failed {
            reason = reason == null ? "" : reason.strip();
        }
    }

    /** Remembers how often it was asked, which nobody compares. */
    final class Counted<T> implements Result<T> {
        private final Result<T> inner;
        private int asked;

        public Counted(Result<T> inner) {
            this.inner = inner instanceof Counted<T> c ? c.inner : inner;
        }

        public boolean ok() {
            asked++;
            return inner instanceof Ok;
        }

        public int asked() {
            return asked;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Counted<?> c && Objects.equals(inner, c.inner);
        }

        @Override
        public int hashCode() {
            return ~Objects.hashCode(inner);
        }
    }
}
