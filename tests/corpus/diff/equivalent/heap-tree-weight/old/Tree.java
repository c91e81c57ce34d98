public final class Tree {
    public int value;
    public Tree left;
    public Tree right;

    public int weight() {
        int sum = value;
        if (left != null) {
            sum += left.weight();
        }
        if (right != null) {
            sum += right.weight();
        }
        return sum;
    }
}
