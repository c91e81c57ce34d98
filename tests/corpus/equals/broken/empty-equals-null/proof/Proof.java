import opt.Maybe;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(Maybe.of(null), Maybe.of("a"), Maybe.of(null));
    }
}
