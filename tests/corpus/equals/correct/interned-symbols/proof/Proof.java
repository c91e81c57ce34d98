import lang.Symbol;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(Symbol.of("a"), Symbol.of("a"), Symbol.of(new String("a")), Symbol.of(""), Symbol.of("Aa"), Symbol.of("BB"));
        Contract.stable(Symbol.of("a"), Symbol::use);
    }
}
