import stat.Counts;
import stat.Counts.Kind;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Counts(), new Counts().put(Kind.HIT, 5).remove(Kind.HIT), new Counts().put(Kind.HIT, 0), new Counts().put(Kind.MISS, 5),
                new Counts().put(Kind.MISS, 5).put(Kind.ERROR, 1).remove(Kind.ERROR), new Counts().put(Kind.ERROR, Integer.MIN_VALUE));
    }
}
