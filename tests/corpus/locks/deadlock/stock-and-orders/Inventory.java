package shop;

import java.util.HashMap;
import java.util.Map;

public class Inventory {
    private final Map<String, Integer> stock = new HashMap<>();
    private OrderBook orders;

    public synchronized void attach(OrderBook orders) {
        this.orders = orders;
    }

    public synchronized int available(String sku) {
        return stock.getOrDefault(sku, 0);
    }

    public synchronized void receive(String sku, int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount " + amount);
        }
        stock.merge(sku, amount, Integer::sum);
        if (orders != null && orders.isBackordered(sku)) {
            stock.merge(sku, -1, Integer::sum);
        }
    }

    public synchronized boolean take(String sku, int amount) {
        int left = available(sku) - amount;
        if (left < 0) {
            return false;
        }
        stock.put(sku, left);
        return true;
    }
}
