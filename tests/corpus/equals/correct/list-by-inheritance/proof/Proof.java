import java.util.Arrays;
import java.util.List;
import lists.Repeated;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Repeated<>("a", 2), List.of("a", "a"), Arrays.asList("a", "a"), new Repeated<>("b", 0), new Repeated<>("a", 0),
                List.of(), new Repeated<>(null, 1), Arrays.asList((Object) null), new Repeated<>("a", 1));
    }
}
