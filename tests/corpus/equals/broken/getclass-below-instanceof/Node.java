package xml;

public class Node {
    protected final String name;

    public Node(String name) {
        this.name = name == null ? "#node" : name;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Node && name.equals(((Node) o).name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
