import coll.Values;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Values(List.of("a", "b")), new Values(Set.of("a", "b")), new Values(List.of("b", "a")), new Values(null), new Values(Arrays.asList((String) null)),
                new Values(List.of("a")));
    }
}
