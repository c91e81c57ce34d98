import support.Contract;
import vote.Poll;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Poll(), new Poll(1, 2, 2), new Poll(2, 1, 2), new Poll(1, 1, 2), new Poll(Integer.MIN_VALUE, 3), new Poll(3, Integer.MIN_VALUE));
    }
}
