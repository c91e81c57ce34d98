package graph;

import java.util.HashSet;
import java.util.Set;

/** Locks in the order of ranks; two vertices may have the same rank. */
public final class Vertex {
    private final int rank;
    private final Set<Vertex> neighbours = new HashSet<>();

    public Vertex(int rank) {
        this.rank = rank;
    }

    public void connect(Vertex other) {
        if (rank <= other.rank) {
            synchronized (this) {
                synchronized (other) {
                    link(other);
                }
            }
        } else {
            synchronized (other) {
                synchronized (this) {
                    link(other);
                }
            }
        }
    }

    private void link(Vertex other) {
        neighbours.add(other);
        other.neighbours.add(this);
    }

    public int degree() {
        synchronized (this) {
            return neighbours.size();
        }
    }
}
