import bits.WordSet;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new WordSet().add(1), new WordSet().add(1).add(70), new WordSet().add(1).add(80), new WordSet());
    }
}
