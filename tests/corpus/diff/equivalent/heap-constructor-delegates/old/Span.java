public final class Span {
    public int from;
    public int to;
    public boolean empty;

    public Span(int from, int to) {
        this.from = from;
        this.to = to;
        this.empty = from >= to;
    }
}
