public final class Tree {
    public int value;
    public Tree left;
    public Tree right;

    private static void turn(Tree t) {
        if (t != null) {
            Tree l = t.left;
            t.left = t.right;
            t.right = l;
        }
    }

    public void flip() {
        turn(left);
        turn(right);
    }
}
