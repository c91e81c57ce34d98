public class Ring {
    public static void unlink(Link k) {
        Link n = k.next;
        Link p = k.prev;
        if (n != null) {
            n.prev = p;
        }
        if (p == null) {
            return;
        }
        p.next = n;
    }
}
