public class Cells {
    public static void mark(Cell p, Cell q) {
        q.value = 2;
        p.value = 1;
    }
}
