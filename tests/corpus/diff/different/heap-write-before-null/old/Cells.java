public class Cells {
    public static void mark(Cell p, Cell q) {
        p.left = 1;
        q.right = 2;
    }
}
