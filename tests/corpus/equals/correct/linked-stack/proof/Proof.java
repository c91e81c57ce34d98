import ds.Stack;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Stack<String> popped = new Stack<String>().push("a").push("b");
        popped.pop();
        Contract.judge(popped, new Stack<String>().push("a"), new Stack<String>(), new Stack<String>().push(null),
                new Stack<Integer>().push(1), new Stack<String>().push("b").push("a"));
    }
}
