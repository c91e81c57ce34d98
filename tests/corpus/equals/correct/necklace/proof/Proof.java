import puzzle.Necklace;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Necklace("abc"), new Necklace("cab"), new Necklace("bca"), new Necklace("acb"), new Necklace(""), new Necklace("aa"),
                new Necklace("a"));
    }
}
