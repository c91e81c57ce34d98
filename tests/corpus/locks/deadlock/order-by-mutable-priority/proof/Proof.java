import sched.Task;
import support.Race;

public class Proof {
    static int n;

    public static void main(String[] args) {
        Task a = new Task();
        Task b = new Task();
        Race.loop(() -> a.swapSlices(b), () -> b.swapSlices(a), () -> a.promote((n++ & 1) * 10));
    }
}
