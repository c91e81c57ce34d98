public class Cells {
    public static void swap(Cell p, Cell q) {
        p.value ^= q.value;
        q.value ^= p.value;
        p.value ^= q.value;
    }
}
