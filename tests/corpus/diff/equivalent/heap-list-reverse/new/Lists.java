public class Lists {
    public static Node reverse(Node list) {
        return turn(list, null);
    }

    private static Node turn(Node list, Node done) {
        if (list == null) {
            return done;
        }
        Node rest = list.next;
        list.next = done;
        return turn(rest, list);
    }
}
