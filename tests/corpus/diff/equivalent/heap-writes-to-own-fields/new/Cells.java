public class Cells {
    public static void mark(Cell p, Cell q) {
        if (q != null && p != null) {
            q.right = 2;
            p.left = 1;
        }
    }
}
