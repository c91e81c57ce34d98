import lab.Reading;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Reading("a", Float.NaN), new Reading("a", 0f), new Reading("a", -0f), new Reading(null, 1));
    }
}
