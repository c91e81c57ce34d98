import bits.Flags;
import support.Contract;

public class Proof {
    static Flags of(int... bits) {
        Flags f = new Flags();
        for (int b : bits) {
            if (b >= 0) {
                f.set(b);
            } else {
                f.clear(-b);
            }
        }
        return f;
    }

    public static void main(String[] args) {
        Contract.judge(of(), of(3), of(3, 70, -70), of(70, -70), of(200, 3, -200), of(70), of(70, 200), of(64), of(0), of(63));
    }
}
