public class Cells {
    public static void mark(Cell p, Cell q) {
        q.right = 2;
        p.left = 1;
    }
}
