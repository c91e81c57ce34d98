import stats.Counters;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Counters a = new Counters();
        Counters b = new Counters();
        a.add("x", 1);
        b.add("x", 1);
        Race.loop(() -> a.mergeFrom(b), () -> b.mergeFrom(a));
    }
}
