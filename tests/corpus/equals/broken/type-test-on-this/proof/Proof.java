import refl.EntryPoint;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new EntryPoint("a"), new EntryPoint(null), new EntryPoint("a"));
    }
}
