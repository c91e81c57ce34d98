import pool.Connection2;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Connection2 c = new Connection2("u");
        Connection2.Guard closed = new Connection2.Guard(c);
        closed.close();
        Contract.judge(c, new Connection2.Guard(c), closed, new Connection2.Guard(new Connection2("u")), new Connection2("v"));
    }
}
