import graph.Edge;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Edge("a", "b"), new Edge("b", "a"), new Edge("a", "a"), new Edge("b", "b"), new Edge("Aa", "x"),
                new Edge("x", "BB"), new Edge("", ""));
    }
}
