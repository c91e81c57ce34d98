import java.util.HashMap;
import java.util.Map;
import support.Contract;
import tribe.ReplicatedMap;

public class Proof {
    public static void main(String[] args) {
        ReplicatedMap full = new ReplicatedMap("a");
        full.put("k", "v");
        Contract.judge(full, new ReplicatedMap("a"), new ReplicatedMap("b"), new HashMap<>(Map.of("k", "v")), new HashMap<>());
    }
}
