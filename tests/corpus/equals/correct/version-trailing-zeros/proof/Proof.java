import rel.Version;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Version(), new Version(0), new Version(1), new Version(1, 0, 0), new Version(1, 0, 2), new Version(0, 1),
                new Version(-1), new Version(Integer.MIN_VALUE), new Version(Integer.MAX_VALUE, 0), new Version(1, -1));
    }
}
