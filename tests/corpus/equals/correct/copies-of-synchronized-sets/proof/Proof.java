import auth.Subject;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Subject closed = new Subject().grant("a").grant("b");
        closed.close();
        Contract.judge(closed, new Subject().grant("b").grant("a"), new Subject(), new Subject().grant(null), new Subject().grant("a"));
    }
}
