import sched.Task;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Task a = new Task();
        Task b = new Task();
        Race.loop(() -> a.swapSlices(b), () -> {
            a.promote(10);
            b.swapSlices(a);
            a.promote(0);
        });
    }
}
