public class Cells {
    public static void mark(Cell p, Cell q) {
        p.value = 1;
        q.value = 2;
    }
}
