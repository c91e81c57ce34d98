import model.Entity;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Entity.User nicked = new Entity.User("a");
        nicked.setNick("n");
        Contract.judge(nicked, new Entity.User("a"), new Entity.User(null), new Entity.Membership(1, 2), new Entity.Membership(1, 2),
                new Entity.Membership(Integer.MIN_VALUE, Long.MAX_VALUE), new Entity.Membership(Integer.MAX_VALUE, 0));
    }
}
