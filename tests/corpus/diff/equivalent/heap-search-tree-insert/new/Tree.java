public final class Tree {
    public int key;
    public Tree left;
    public Tree right;

    public static Tree insert(Tree t, int key) {
        Tree made = new Tree();
        made.key = key;
        if (t == null) {
            return made;
        }
        for (Tree at = t; ; ) {
            if (key == at.key) {
                return t;
            }
            Tree next = key < at.key ? at.left : at.right;
            if (next != null) {
                at = next;
            } else if (key < at.key) {
                at.left = made;
                return t;
            } else {
                at.right = made;
                return t;
            }
        }
    }
}
