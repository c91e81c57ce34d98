import support.Contract;
import todo.LoudTask;
import todo.Task;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Task("a", 1), new LoudTask("a"), new Task("a", Integer.MAX_VALUE), new LoudTask("a"), new LoudTask(null),
                new Task(null, Integer.MAX_VALUE), new Task("", 0));
    }
}
