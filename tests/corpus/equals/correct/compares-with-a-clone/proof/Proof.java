import crypt.KeyId;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        byte[] own = {1, 2, 3};
        KeyId k = new KeyId(own);
        own[0] = 9;
        k.octets()[1] = 7;
        Contract.judge(k, new KeyId(new byte[] {1, 2, 3}), new KeyId(new byte[0]), new KeyId(new byte[] {0, 2, 3}), new KeyId(new byte[] {-1}));
    }
}
