import support.Contract;
import text.CaseFree;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new CaseFree("Host"), new CaseFree("HOST"), "host", "Host", new CaseFree(null));
    }
}
