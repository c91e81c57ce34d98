import stat.Sparse;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Sparse(), new Sparse().put(1, 0), new Sparse().put(1, 5), new Sparse().put(2, 5));
    }
}
