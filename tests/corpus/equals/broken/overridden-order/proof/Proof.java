import plan.Step;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Step(1), new Step(5), new Step.Urgent(3), new Step.Urgent(3), new Step.Urgent(0), new Step(1),
                new Step(3));
    }
}
