public class Trees {
    public static Tree pair(int a) {
        Tree root = new Tree();
        Tree child = new Tree();
        child.value = a;
        root.left = child;
        root.right = child;
        return root;
    }
}
