public class Ring {
    public static void unlink(Link k) {
        k.prev.next = k.next;
        k.next.prev = k.prev;
    }
}
