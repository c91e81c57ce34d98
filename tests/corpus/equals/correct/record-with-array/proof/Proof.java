import net.Packet;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Packet("h", 1, new byte[] {1, 2}), new Packet("h", 1, new byte[] {1, 2}), new Packet(null, 1, null),
                new Packet(null, 1, null), new Packet("h", 1, new byte[0]), new Packet("h", 2, null));
    }
}
