import shop.Item;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Item dear = new Item(1, "a");
        dear.setPrice(5);
        Contract.judge(dear, new Item(1, "b"), new Item(2, null));
        Contract.stable(new Item(1, "a"), i -> i.setPrice(9));
    }
}
