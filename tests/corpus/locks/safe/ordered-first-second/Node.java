package graph;

import java.util.ArrayList;
import java.util.List;

/** Rank first, then a unique serial: no two nodes tie. */
public final class Node {
    private static int counter;

    private final int rank;
    private final int serial;
    private final List<Node> edges = new ArrayList<>();

    public Node(int rank) {
        this.rank = rank;
        this.serial = nextSerial();
    }

    private static synchronized int nextSerial() {
        return counter++;
    }

    private boolean before(Node other) {
        return rank != other.rank ? rank < other.rank : serial < other.serial;
    }

    public void connect(Node other) {
        Node first = before(other) ? this : other;
        Node second = first == this ? other : this;
        synchronized (first) {
            synchronized (second) {
                edges.add(other);
                other.edges.add(this);
            }
        }
    }

    public int degree() {
        synchronized (this) {
            return edges.size();
        }
    }
}
