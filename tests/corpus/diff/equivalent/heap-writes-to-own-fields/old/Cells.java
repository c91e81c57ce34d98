public class Cells {
    public static void mark(Cell p, Cell q) {
        if (p == null || q == null) {
            return;
        }
        p.left = 1;
        q.right = 2;
    }
}
