public class Sorted {
    public static Node insert(Node list, int value) {
        if (list == null || value <= list.value) {
            return new Node(value, list);
        }
        list.next = insert(list.next, value);
        return list;
    }
}
