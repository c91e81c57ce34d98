import span.Range;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Range(1, 2), new Range(1, 3), new Range(2, 2));
    }
}
