public final class Node {
    public final Item item;
    public Node next;

    Node(Item item, Node next) {
        this.item = item;
        this.next = next;
    }
}
