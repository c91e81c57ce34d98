public class Sorted {
    public static Node insert(Node list, Item item) {
        if (list == null || item.key <= list.item.key) {
            return new Node(item, list);
        }
        list.next = insert(list.next, item);
        return list;
    }
}
