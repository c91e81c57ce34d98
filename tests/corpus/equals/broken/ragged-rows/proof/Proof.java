import grid.Table;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Table(new int[] {1, 2}, new int[] {3}), new Table(new int[] {1, 2}, new int[] {3, 4}), new Table(),
                new Table(new int[] {}), new Table(new int[] {1}), new Table(new int[] {1, 2}), new Table(new int[] {1, 3}));
    }
}
