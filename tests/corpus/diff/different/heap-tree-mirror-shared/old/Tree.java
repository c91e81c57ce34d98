public final class Tree {
    public int value;
    public Tree left;
    public Tree right;

    public void mirror() {
        Tree t = left;
        left = right;
        right = t;
        if (left != null) {
            left.mirror();
        }
        if (right != null) {
            right.mirror();
        }
    }
}
