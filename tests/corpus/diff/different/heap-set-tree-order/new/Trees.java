public class Trees {
    public static void set(Tree t, int x) {
        if (t.left != null) {
            t.left.value = x + 1;
        }
        t.value = x;
    }
}
