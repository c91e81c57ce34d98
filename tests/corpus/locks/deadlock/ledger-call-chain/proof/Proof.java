import depot.Ledger;
import depot.Warehouse;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Ledger ledger = new Ledger();
        Warehouse warehouse = new Warehouse(ledger);
        Race.loop(() -> warehouse.store("x", 1), () -> ledger.close(warehouse));
    }
}
