package shop;

import java.util.ArrayList;
import java.util.List;

/** Many synchronized methods that call each other, all on the same object. */
public class Basket {
    private final List<String> items = new ArrayList<>();
    private int limit = 10;

    public synchronized boolean add(String item) {
        if (isFull() && !grow()) {
            return false;
        }
        items.add(item);
        return contains(item);
    }

    public synchronized boolean isFull() {
        return size() >= limit;
    }

    public synchronized int size() {
        return items.size();
    }

    public synchronized boolean contains(String item) {
        synchronized (this) {
            return items.contains(item);
        }
    }

    private boolean grow() {
        synchronized (this) {
            if (limit > 1000) {
                return false;
            }
            limit *= 2;
            return true;
        }
    }
}
