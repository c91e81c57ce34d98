import kv.Key;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Key(), new Key((byte) -1), new Key((byte) 1), new Key((byte) 1), new Key((byte) 1, (byte) 0), new Key((byte) -128, (byte) 127),
                new Key((byte) 0));
    }
}
