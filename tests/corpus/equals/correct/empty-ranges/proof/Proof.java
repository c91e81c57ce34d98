import span.Range;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Range(0, 0), new Range(5, 1), new Range(1, 5), new Range(1, 5), new Range(Integer.MIN_VALUE, Integer.MAX_VALUE),
                new Range(Integer.MAX_VALUE, Integer.MIN_VALUE), new Range(1, 6), new Range(0, 31));
    }
}
