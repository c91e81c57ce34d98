import game.Board;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Board(2), new Board(2), new Board(0), new Board(2).put(0, 0, 'x'));
    }
}
