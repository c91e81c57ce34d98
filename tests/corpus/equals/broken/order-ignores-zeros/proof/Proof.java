import rel.Release;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Release(1), new Release(1, 0), new Release(), new Release(0, -1), new Release(2));
    }
}
