package graph;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

public final class Graph {
    public enum Kind { DIRECTED, WEIGHTED }

    private final Map<String, Set<String>> edges = new HashMap<>();
    private final EnumSet<Kind> kinds = EnumSet.noneOf(Kind.class);

    public Graph add(String from, String to) {
        edges.computeIfAbsent(from, k -> new TreeSet<>()).add(to);
        return this;
    }

    public Graph is(Kind kind) {
        kinds.add(kind);
        return this;
    }

    public Set<String> from(String node) {
        return Collections.unmodifiableSet(edges.getOrDefault(node, Set.of()));
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Graph g && edges.equals(g.edges) && kinds.equals(g.kinds);
    }

    @Override
    public int hashCode() {
        return edges.hashCode() * 31 + kinds.size();
    }
}
