import fw.Rule;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Rule(1, true), new Rule(1, true), new Rule(1, false), new Rule(-2, true), new Rule(0, false));
        Rule.setTracing(true);
        Contract.judge(new Rule(1, true), new Rule(1, false), new Rule(1, true));
    }
}
