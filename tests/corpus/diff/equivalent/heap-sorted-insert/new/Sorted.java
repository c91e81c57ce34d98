public class Sorted {
    public static Node insert(Node list, int value) {
        Node before = null;
        Node at = list;
        while (at != null && at.value < value) {
            before = at;
            at = at.next;
        }
        Node made = new Node(value, at);
        if (before == null) {
            return made;
        }
        before.next = made;
        return list;
    }
}
