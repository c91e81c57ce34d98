import support.Contract;
import units.Length;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Length(0), new Length(0.8e-6), new Length(1.6e-6), new Length(-0.0));
    }
}
