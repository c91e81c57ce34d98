import feed.Topics;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Topics(0), new Topics(1), new Topics(3), new Topics(2));
    }
}
