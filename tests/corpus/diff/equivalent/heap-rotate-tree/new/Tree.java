public final class Tree {
    public int key;
    public Tree left;
    public Tree right;

    public static Tree rotate(Tree t) {
        Tree l = t == null ? null : t.left;
        if (l == null) {
            return t;
        }
        Tree middle = l.right;
        t.left = middle;
        l.right = t;
        return l;
    }
}
