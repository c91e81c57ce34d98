import mail.Filter;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Filter("a", "b", true), new Filter("a", "b", false), new Filter("c", "d", true), new Filter(null, null, false));
    }
}
