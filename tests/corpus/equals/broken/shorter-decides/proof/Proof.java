import support.Contract;
import text.Prefix;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Prefix("a"), new Prefix("ab"), new Prefix("ac"), new Prefix(""));
    }
}
