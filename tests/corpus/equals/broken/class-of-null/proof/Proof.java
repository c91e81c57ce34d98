import search.Query;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Query("f", 1), new Query("f", Float.NaN), new Query(null, 1));
    }
}
