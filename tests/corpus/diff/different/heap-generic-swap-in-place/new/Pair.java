public final class Pair<A> {
    public A first;
    public A second;

    public Pair(A first, A second) {
        this.first = first;
        this.second = second;
    }
}
