public final class Tree {
    public int value;
    public Tree left;
    public Tree right;
}
