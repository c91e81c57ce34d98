import net.Frame;
import support.Contract;

public class Proof {
    static Frame of(int... bytes) {
        Frame f = new Frame();
        for (int b : bytes) {
            f.write((byte) b);
        }
        return f;
    }

    public static void main(String[] args) {
        Contract.judge(of(), of(1), of(1, 2), of(1, 2, 3), of(1, 0), of(2), of(1, 2, 0), of(0));
    }
}
