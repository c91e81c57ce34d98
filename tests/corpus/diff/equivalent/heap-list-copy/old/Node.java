public final class Node {
    public Object value;
    public Node next;
}
