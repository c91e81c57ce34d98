public class Lists {
    public static Node remove(Node list, int value) {
        if (list == null) {
            return null;
        }
        list.next = remove(list.next, value);
        return list.value == value ? list.next : list;
    }
}
