package graph;

/** An undirected edge: the ends may be given either way round. */
public final class Edge {
    private final String a;
    private final String b;

    public Edge(String a, String b) {
        if (a == null || b == null) {
            throw new IllegalArgumentException("an edge has two ends");
        }
        this.a = a;
        this.b = b;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Edge)) {
            return false;
        }
        Edge e = (Edge) o;
        return a.equals(e.a) && b.equals(e.b) || a.equals(e.b) && b.equals(e.a);
    }

    @Override
    public int hashCode() {
        return a.hashCode() + b.hashCode();
    }
}
