public class Lists {
    public static Node remove(Node list, int value) {
        if (list == null) {
            return null;
        }
        if (list.value == value) {
            return list.next;
        }
        list.next = remove(list.next, value);
        return list;
    }
}
