public class Ring {
    public static void unlink(Link k) {
        k.next.prev = k.prev;
        k.prev.next = k.next;
    }
}
