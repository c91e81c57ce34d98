package gen;

import java.util.Objects;
import java.util.function.Function;

public class Couple<A, B> {
    private final A a;
    private final B b;

    protected Couple(A a, B b) {
        this.a = a;
        this.b = b;
    }

    public static <A, B> Couple<A, B> of(A a, B b) {
        return new Couple<>(a, b);
    }

    public <C> Couple<C, B> map(Function<? super A, ? extends C> f) {
        return of(f.apply(a), b);
    }

    @Override
    public boolean equals(Object o) {
        if (o == this) {
            return true;
        }
        if (o == null || o.getClass() != getClass()) {
            return false;
        }
        Couple<?, ?> c = (Couple<?, ?>) o;
        return Objects.equals(a, c.a) && Objects.equals(b, c.b);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(a) * 17 + Objects.hashCode(b);
    }
}
