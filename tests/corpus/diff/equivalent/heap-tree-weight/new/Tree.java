public final class Tree {
    public int value;
    public Tree left;
    public Tree right;

    public int weight() {
        return of(right) + value + of(left);
    }

    private static int of(Tree t) {
        return t == null ? 0 : t.weight();
    }
}
