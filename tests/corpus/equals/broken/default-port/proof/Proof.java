import net.Endpoint;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Endpoint("a", -1), new Endpoint("a", 80), new Endpoint("a", -2), new Endpoint(null, 1));
    }
}
