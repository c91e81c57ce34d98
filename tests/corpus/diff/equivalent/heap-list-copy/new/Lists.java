public class Lists {
    public static Node copy(Node list) {
        Node head = new Node();
        Node last = head;
        for (; list != null; list = list.next) {
            Node made = new Node();
            made.value = list.value;
            last.next = made;
            last = made;
        }
        return head.next;
    }
}
