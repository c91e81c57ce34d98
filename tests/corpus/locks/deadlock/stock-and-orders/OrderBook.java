package shop;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

public class OrderBook {
    private final Inventory inventory;
    private final List<String> accepted = new ArrayList<>();
    private final Set<String> backordered = new HashSet<>();

    public OrderBook(Inventory inventory) {
        this.inventory = inventory;
    }

    public boolean place(String customer, String sku, int amount) {
        synchronized (this) {
            boolean taken = inventory.take(sku, amount);
            if (taken) {
                accepted.add(customer + ":" + sku);
            } else {
                backordered.add(sku);
            }
            return taken;
        }
    }

    public synchronized boolean isBackordered(String sku) {
        return backordered.remove(sku);
    }

    public synchronized int accepted() {
        return accepted.size();
    }
}
