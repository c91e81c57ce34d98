import quiz.Answer;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Answer("a"), new Answer(" a "), new Answer(null), new Answer("  "), new Answer("a b"), new Answer("\u0000a"));
    }
}
