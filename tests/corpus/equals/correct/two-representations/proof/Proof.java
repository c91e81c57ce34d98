import dtd.StateSet;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new StateSet(0), new StateSet(64).set(63), new StateSet(64).set(63), new StateSet(65).set(64), new StateSet(65).set(64),
                new StateSet(65), new StateSet(64), new StateSet(100).set(7), new StateSet(100).set(8), new StateSet(100).set(8));
    }
}
