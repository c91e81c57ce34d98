import net.HostName;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new HostName("I", 1), new HostName("\u0131", 1), new HostName("i", 1), new HostName(null, 1));
    }
}
