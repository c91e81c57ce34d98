import graph.Link;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Link(1, 2), new Link(2, 1), new Link(1, 1));
    }
}
