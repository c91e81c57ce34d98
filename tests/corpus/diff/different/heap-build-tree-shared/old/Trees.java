public class Trees {
    public static Tree pair(int a) {
        Tree root = new Tree();
        root.left = new Tree();
        root.right = new Tree();
        root.left.value = a;
        root.right.value = a;
        return root;
    }
}
