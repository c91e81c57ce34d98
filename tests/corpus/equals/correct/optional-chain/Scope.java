package lang;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Scopes in scopes, compared through Optional and a map. */
public final class Scope {
    private final Scope outer;
    private final Map<String, Integer> names = new HashMap<>();

    public Scope() {
        this(null);
    }

    public Scope(Scope outer) {
        this.outer = outer;
    }

    public Scope define(String name, int value) {
        names.put(name, value);
        return this;
    }

    public int depth() {
        return outer().map(o -> o.depth() + 1).orElse(0);
    }

    private Optional<Scope> outer() {
        return Optional.ofNullable(outer);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Scope s && names.equals(s.names) && outer().equals(s.outer());
    }

    @Override
    public int hashCode() {
        return names.hashCode() + 31 * outer().map(Scope::hashCode).orElse(7);
    }
}
