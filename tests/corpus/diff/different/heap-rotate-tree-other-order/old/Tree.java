public final class Tree {
    public int key;
    public Tree left;
    public Tree right;

    public static Tree rotate(Tree t) {
        Tree l = t.left;
        t.left = l.right;
        l.right = t;
        return l;
    }
}
