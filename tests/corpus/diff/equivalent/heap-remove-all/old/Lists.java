public class Lists {
    public static Node remove(Node list, int value) {
        Node head = new Node();
        head.next = list;
        Node at = head;
        while (at.next != null) {
            if (at.next.value == value) {
                at.next = at.next.next;
            } else {
                at = at.next;
            }
        }
        return head.next;
    }
}
