public final class Node {
    public int value;
    public Node next;
}
