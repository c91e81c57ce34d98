import fp.Either;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(Either.left("a"), Either.right("a"), Either.right("b"), Either.left(1));
    }
}
