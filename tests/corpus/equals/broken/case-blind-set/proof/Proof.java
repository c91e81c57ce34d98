import java.util.Set;
import lang.Keywords;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Keywords k = new Keywords();
        k.add("If");
        Contract.judge(k, Set.of("IF"), Set.of("if"), new Keywords(), Set.of());
    }
}
