public final class Node {
    public static int made;

    public int depth;
    public Node first;

    public Node(Node parent, int depth) {
        parent.first = this;
        this.depth = depth;
        made++;
    }
}
