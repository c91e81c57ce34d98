public class Lists {
    public static Node copy(Node list) {
        if (list == null) {
            return null;
        }
        Node made = new Node();
        made.value = list.value;
        made.next = copy(list.next);
        return made;
    }
}
