public final class Span {
    public int from;
    public int to;
    public boolean empty;

    public Span(int from, int to) {
        this(from, to, to <= from);
    }

    private Span(int a, int b, boolean empty) {
        this.empty = empty;
        to = b;
        from = a;
    }
}
