import lang.Scope;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Scope a = new Scope().define("x", 1);
        Contract.judge(a, new Scope().define("x", 1), new Scope(a), new Scope(new Scope().define("x", 1)), new Scope(), new Scope(null),
                new Scope().define(null, 0));
    }
}
