import queue.Job;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Job(1), new Job(1), new Job(Integer.MIN_VALUE), new Job(Integer.MAX_VALUE));
        Contract.stable(new Job(1), j -> j.note("x"));
    }
}
