public class Trees {
    public static void set(Tree t, int x) {
        t.value = x;
        if (t.left != null) {
            t.left.value = x + 1;
        }
    }
}
