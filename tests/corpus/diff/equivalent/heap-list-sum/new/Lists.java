public class Lists {
    public static int sum(Node list) {
        return list == null ? 0 : list.value + sum(list.next);
    }
}
