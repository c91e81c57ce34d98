import rel.Release2;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Release2(1), new Release2(1, 2), new Release2(1, 3), new Release2(2));
    }
}
