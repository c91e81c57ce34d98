package pairs;

public final class FieldPair implements Pair {
    private final int first;
    private final int second;

    public FieldPair(int first, int second) {
        this.first = first;
        this.second = second;
    }

    @Override
    public int first() {
        return first;
    }

    @Override
    public int second() {
        return second;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Pair p && first == p.first() && second == p.second();
    }

    @Override
    public int hashCode() {
        return 31 * first + second;
    }
}
