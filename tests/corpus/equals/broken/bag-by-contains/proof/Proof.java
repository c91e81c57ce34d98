import ds.Bag;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Bag().add(1).add(1).add(2), new Bag().add(1).add(2).add(2), new Bag().add(1).add(2).add(3), new Bag().add(1).add(1).add(1),
                new Bag());
    }
}
