public class Trees {
    public static Tree pair(int a, int b) {
        Tree right = new Tree();
        right.value = b;
        Tree left = new Tree();
        left.value = a;
        Tree root = new Tree();
        root.value = right.value + left.value;
        root.right = right;
        root.left = left;
        return root;
    }
}
