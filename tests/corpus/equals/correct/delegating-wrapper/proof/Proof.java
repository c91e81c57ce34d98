import java.util.List;
import support.Contract;
import wrap.Names;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(Names.of(), Names.of("a"), Names.of().and("a"), Names.of((String) null), Names.of().and(null), List.of("a"), List.of());
    }
}
