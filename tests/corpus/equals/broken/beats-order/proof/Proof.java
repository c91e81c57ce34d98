import game.Hand;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(Hand.of("rock"), Hand.of("paper"), Hand.of("scissors"), Hand.of("rock"));
    }
}
