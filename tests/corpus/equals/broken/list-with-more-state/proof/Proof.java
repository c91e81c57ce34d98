import java.util.List;
import lists.NamedList;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new NamedList("a", 2), List.of(0, 1), new NamedList("b", 2), new NamedList("a", 2), new NamedList(null, 0));
    }
}
