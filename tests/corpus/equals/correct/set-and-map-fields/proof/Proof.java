import graph.Graph;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Graph(), new Graph().add("a", "b").add("a", "c"), new Graph().add("a", "c").add("a", "b"),
                new Graph().is(Graph.Kind.DIRECTED), new Graph().is(Graph.Kind.DIRECTED), new Graph().add(null, "x"), new Graph().is(Graph.Kind.WEIGHTED));
    }
}
