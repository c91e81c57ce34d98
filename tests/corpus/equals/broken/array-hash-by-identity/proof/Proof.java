import io.Checksum;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Checksum("a", new byte[] {1}), new Checksum("a", new byte[] {1}), new Checksum(null, null));
    }
}
