import boxes.Counter;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Counter(1000, 1000L, 'x'), new Counter(1000, 1000L, 'x'), new Counter(null, null, null), new Counter(0, null, null),
                new Counter(0, null, '\u1234'), new Counter(0, null, '\u1234'), new Counter(1000, null, 'x'), new Counter(1000, 1000L, null));
    }
}
