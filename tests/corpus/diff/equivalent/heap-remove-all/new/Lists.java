public class Lists {
    public static Node remove(Node list, int value) {
        while (list != null && list.value == value) {
            list = list.next;
        }
        Node keep = list;
        while (keep != null) {
            Node after = keep.next;
            while (after != null && after.value == value) {
                after = after.next;
                keep.next = after;
            }
            keep = after;
        }
        return list;
    }
}
