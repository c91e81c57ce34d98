import support.Contract;
import text.AbstractText;

public class Proof {
    public static void main(String[] args) {
        AbstractText a = new AbstractText.Plain("aa");
        Contract.judge(a, new AbstractText.Run('a', 2), new AbstractText.Joined(new AbstractText.Plain("a"), new AbstractText.Run('a', 1)),
                new AbstractText.Plain(null), new AbstractText.Run('x', 0), new AbstractText.Joined(null, null), new AbstractText.Joined(a, null),
                new AbstractText.Plain("ab"));
    }
}
