import rel.Version;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Version(1), new Version.Dated(1, 2), new Version.Dated(1, 3), new Version.Dated(1, 2));
    }
}
