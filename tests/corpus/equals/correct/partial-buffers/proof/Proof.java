import net.Frame;
import support.Contract;

public class Proof {
    static Frame of(int skip, int... bytes) {
        Frame f = new Frame();
        for (int b : bytes) {
            f.write((byte) b);
        }
        for (int i = 0; i < skip; i++) {
            f.read();
        }
        return f;
    }

    public static void main(String[] args) {
        Contract.judge(of(0), of(2, 1, 2), of(1, 9, 1, 2, 3, 4), of(0, 1, 2, 3, 4), of(0, 1), of(2, 1, 1, 1), of(0, 0), of(0, 1, 0));
    }
}
