import cook.Weight;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Weight(1, "g"), new Weight(1, "gram"), new Weight(1, "kg"), new Weight(1, "kilogram"), new Weight(1, "x"),
                new Weight(1, ""), new Weight(2, "lb"), new Weight(Integer.MAX_VALUE, "g"));
    }
}
