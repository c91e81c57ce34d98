import net.Address4;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        byte b = (byte) 200;
        Contract.judge(new Address4(1, b), new Address4(-1, b), new Address4(Integer.MIN_VALUE, (byte) 0), new Address4(Integer.MAX_VALUE, (byte) 0),
                new Address4(0, (byte) 127), new Address4(0, b), new Address4(0, (byte) -128), new Address4(0, b));
    }
}
