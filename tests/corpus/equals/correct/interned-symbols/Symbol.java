package lang;

import java.util.concurrent.ConcurrentHashMap;

/** One object per name: identity is equality, and the hash of the final name is stable. */
public final class Symbol implements Comparable<Symbol> {
    private static final ConcurrentHashMap<String, Symbol> POOL = new ConcurrentHashMap<>();

    private final String name;
    private int uses;

    private Symbol(String name) {
        this.name = name;
    }

    public static Symbol of(String name) {
        return POOL.computeIfAbsent(name, Symbol::new);
    }

    public void use() {
        uses++;
    }

    public int uses() {
        return uses;
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public int compareTo(Symbol other) {
        return name.compareTo(other.name);
    }
}
