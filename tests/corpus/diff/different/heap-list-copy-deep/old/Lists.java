public class Lists {
    public static Node copy(Node list) {
        if (list == null) {
            return null;
        }
        Node made = new Node();
        made.box = list.box;
        made.next = copy(list.next);
        return made;
    }
}
