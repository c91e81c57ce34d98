import crypt.Fingerprint;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Fingerprint(42), new Fingerprint(42), 42, 42L, new Fingerprint("a".hashCode()), "a");
    }
}
