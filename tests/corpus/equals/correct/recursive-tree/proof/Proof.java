import ds.Tree;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Tree leaf = new Tree(1, null, null);
        Contract.judge(leaf, new Tree(1, null, null), new Tree(2, leaf, null), new Tree(2, null, leaf), new Tree(2, leaf, leaf),
                new Tree(2, new Tree(1, null, null), leaf), new Tree(0, null, null));
    }
}
