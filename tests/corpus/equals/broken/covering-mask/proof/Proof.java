import net.Subnet;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Subnet(0xffffff80), new Subnet(0xffffff00), new Subnet(0), new Subnet(1), new Subnet(3));
    }
}
