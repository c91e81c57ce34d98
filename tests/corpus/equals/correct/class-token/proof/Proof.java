import inject.Key;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Key<>(String.class, "a"), new Key<>(String.class, "a"), new Key<>(null, null), new Key<>(null, null),
                new Key<>(Integer.class, "a"), new Key<>(String.class, null));
    }
}
