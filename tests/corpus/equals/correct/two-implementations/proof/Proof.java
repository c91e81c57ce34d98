import pairs.ArrayPair;
import pairs.FieldPair;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new FieldPair(1, 2), new ArrayPair(1, 2), new FieldPair(2, 1), new ArrayPair(2, 1), new FieldPair(Integer.MIN_VALUE, -1),
                new ArrayPair(Integer.MIN_VALUE, -1), new ArrayPair(0, 0));
    }
}
