public final class Link {
    public Link prev;
    public Link next;
    public int id;
}
