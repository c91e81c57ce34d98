public class Ring {
    public static void unlink(Link k) {
        Link p = k.prev;
        Link n = k.next;
        if (p != null) {
            p.next = n;
        }
        if (n != null) {
            n.prev = p;
        }
    }
}
