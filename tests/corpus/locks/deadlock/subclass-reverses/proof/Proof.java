import store.Ledger;
import store.Shelf;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Ledger ledger = new Ledger();
        Shelf shelf = new Shelf.Counted(ledger);
        Race.loop(() -> shelf.put(1), ledger::missing);
    }
}
