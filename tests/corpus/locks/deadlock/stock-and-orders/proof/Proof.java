import shop.Inventory;
import shop.OrderBook;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Inventory inventory = new Inventory();
        OrderBook book = new OrderBook(inventory);
        inventory.attach(book);
        Race.loop(() -> book.place("c", "s", 1000), () -> inventory.receive("t", 1));
    }
}
