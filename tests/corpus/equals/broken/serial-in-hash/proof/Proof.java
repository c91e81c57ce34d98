import auth.Token;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Token("a"), new Token("a"), new Token(null));
    }
}
