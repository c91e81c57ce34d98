import support.Contract;
import time.Instant2;
import time.Stamp;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Instant2(1), new Stamp(1, 0), new Stamp(1, 5), new Instant2(2));
    }
}
