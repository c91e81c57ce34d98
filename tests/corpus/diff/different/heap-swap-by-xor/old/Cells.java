public class Cells {
    public static void swap(Cell p, Cell q) {
        int t = p.value;
        p.value = q.value;
        q.value = t;
    }
}
