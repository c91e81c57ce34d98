import support.Contract;
import time.Hour;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Hour(-1), new Hour(11), new Hour(23), new Hour(0), new Hour(-12));
    }
}
