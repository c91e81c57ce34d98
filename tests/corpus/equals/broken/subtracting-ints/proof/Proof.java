import sched.Priority;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Priority(Integer.MIN_VALUE, 0), new Priority(0, 0), new Priority(Integer.MAX_VALUE, 0), new Priority(1, 1), new Priority(-2, 0));
    }
}
