import sheet.Cell;
import support.Race;

public class Proof {
    static double d;

    public static void main(String[] args) {
        Cell.Constant a = new Cell.Constant();
        Cell.Constant b = new Cell.Constant();
        Cell sum = new Cell.Sum(a, b);
        Race.loop(() -> a.set(d++), sum::value);
    }
}
