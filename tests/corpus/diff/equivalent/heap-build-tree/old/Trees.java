public class Trees {
    public static Tree pair(int a, int b) {
        Tree root = new Tree();
        root.left = new Tree();
        root.right = new Tree();
        root.left.value = a;
        root.right.value = b;
        root.value = a + b;
        return root;
    }
}
