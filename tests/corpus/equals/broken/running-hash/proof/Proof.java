import shop.Basket;
import support.Contract;

public class Proof {
    public static void main(String[] args) {
        Basket b = new Basket().add("a").add("b");
        b.removeLast();
        Contract.judge(b, new Basket().add("a"), new Basket(), new Basket().add(null));
    }
}
