import support.Contract;
import time.Span;

public class Proof {
    public static void main(String[] args) {
        int max = Integer.MAX_VALUE;
        int min = Integer.MIN_VALUE;
        Contract.judge(new Span(1, 30), new Span(0, 90), new Span(max, max), new Span(min, min), new Span(max, min), new Span(min, max),
                new Span(-1, 60), new Span(0, 0));
    }
}
