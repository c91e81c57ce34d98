package graph;

import java.util.Objects;

public final class Link {
    private final int from;
    private final int to;

    public Link(int from, int to) {
        this.from = from;
        this.to = to;
    }

    @Override
    public boolean equals(Object o) {
        if (o instanceof Link l) {
            return from == l.from && to == l.to || from == l.to && to == l.from;
        }
        return false;
    }

    @Override
    public int hashCode() {
        return Objects.hash(from, to);
    }
}
