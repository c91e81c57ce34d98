import support.Contract;
import todo.Todo;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Todo(true, "a"), new Todo(true, "b"), new Todo(false, "a"), new Todo(false, null));
    }
}
