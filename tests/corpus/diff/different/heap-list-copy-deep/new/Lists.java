public class Lists {
    public static Node copy(Node list) {
        if (list == null) {
            return null;
        }
        Node made = new Node();
        if (list.box != null) {
            made.box = new Box();
            made.box.value = list.box.value;
        }
        made.next = copy(list.next);
        return made;
    }
}
