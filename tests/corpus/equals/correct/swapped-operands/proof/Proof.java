import rel.Version2;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        int max = Integer.MAX_VALUE;
        int min = Integer.MIN_VALUE;
        Contract.judge(new Version2(1, 2, true), new Version2(1, 2, false), new Version2(1, 2, true), new Version2(max, min, true),
                new Version2(min, max, false), new Version2(max, max, false), new Version2(0, 1, false), new Version2(0, 0, true));
    }
}
