import gen.Couple;
import gen.Named;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(Couple.of("a", 1), Couple.of("a", 1), new Named<>("a", 1), new Named<>("a", 1), Couple.of(null, null),
                Couple.of(1, "a"), new Named<>(null, null), Couple.of("x", 1).map(s -> null));
    }
}
