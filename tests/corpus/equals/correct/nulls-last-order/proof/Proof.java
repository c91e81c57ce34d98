import game.Score;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Score[] pool = {new Score(1, "a"), new Score(1, "a"), new Score(1, null), new Score(1, null), new Score(Integer.MIN_VALUE, "a"),
            new Score(Integer.MAX_VALUE, null), new Score(1, "b")};
        Contract.judge((Object[]) pool);
        Contract.comparator(new Score.BestFirst(), pool);
    }
}
