public class Cells {
    public static void swap(Cell p, Cell q) {
        int a = q.value;
        int b = p.value;
        q.value = b;
        p.value = a;
    }
}
