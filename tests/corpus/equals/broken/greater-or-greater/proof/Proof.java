import sport.Medal;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Medal(1, 2), new Medal(2, 1), new Medal(0, 0), new Medal(1, 1), new Medal(0, 3), new Medal(2, 2));
    }
}
