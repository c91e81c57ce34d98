public final class Node {
    public Box box;
    public Node next;
}
