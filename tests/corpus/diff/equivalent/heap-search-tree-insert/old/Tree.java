public final class Tree {
    public int key;
    public Tree left;
    public Tree right;

    public static Tree insert(Tree t, int key) {
        if (t == null) {
            Tree made = new Tree();
            made.key = key;
            return made;
        }
        if (key < t.key) {
            t.left = insert(t.left, key);
        } else if (key > t.key) {
            t.right = insert(t.right, key);
        }
        return t;
    }
}
