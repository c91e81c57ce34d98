public class Lists {
    public static Node reverse(Node list) {
        Node done = null;
        Node at = list;
        while (at != null) {
            Node rest = at.next;
            at.next = done;
            done = at;
            at = rest;
        }
        return list;
    }
}
