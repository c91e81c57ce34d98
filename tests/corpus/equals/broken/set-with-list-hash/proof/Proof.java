import org.Team;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Team().join("a").join("b"), new Team().join("b").join("a"), new Team(), new Team().join("a"));
    }
}
