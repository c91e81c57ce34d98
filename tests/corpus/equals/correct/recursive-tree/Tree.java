package ds;

/** An immutable binary tree, compared by structure. */
public final class Tree {
    private final int key;
    private final Tree left;
    private final Tree right;
    private final int size;

    public Tree(int key, Tree left, Tree right) {
        this.key = key;
        this.left = left;
        this.right = right;
        this.size = 1 + sizeOf(left) + sizeOf(right);
    }

    private static int sizeOf(Tree t) {
        return t == null ? 0 : t.size;
    }

    private static boolean same(Tree a, Tree b) {
        if (a == b) {
            return true;
        }
        if (a == null || b == null || a.size != b.size) {
            return false;
        }
        return a.key == b.key && same(a.left, b.left) && same(a.right, b.right);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Tree && same(this, (Tree) o);
    }

    @Override
    public int hashCode() {
        int h = key;
        h = 31 * h + (left == null ? 0 : left.hashCode());
        h = 31 * h + (right == null ? 0 : right.hashCode());
        return h + size;
    }
}
