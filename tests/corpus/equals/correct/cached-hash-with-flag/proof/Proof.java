import stock.Sku;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Contract.judge(new Sku("a", 1), new Sku("a", 1), new Sku("a", Integer.MIN_VALUE), new Sku("a", Integer.MAX_VALUE),
                new Sku("b", 1), new Sku("", 0), new Sku("b", -1));
    }
}
