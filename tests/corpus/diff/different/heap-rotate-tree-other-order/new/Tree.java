public final class Tree {
    public int key;
    public Tree left;
    public Tree right;

    public static Tree rotate(Tree t) {
        Tree l = t.left;
        l.right = t;
        t.left = l.right;
        return l;
    }
}
