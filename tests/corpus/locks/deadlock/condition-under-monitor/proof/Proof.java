import jobs.JobQueue;
import support.Race;

public class Proof {
    public static void main(String[] args) throws Exception {
        Race.attempts(() -> {
            JobQueue queue = new JobQueue(3);
            return new Race.Role[] {queue::next, () -> {
                Thread.sleep(50);
                queue.submit(() -> { });
            }};
        });
    }
}
