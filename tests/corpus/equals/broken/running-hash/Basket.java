package shop;

import java.util.ArrayList;
import java.util.List;

/** Keeps a running hash that remove forgets to take back. */
public final class Basket {
    private final List<String> items = new ArrayList<>();
    private int hash;

    public Basket add(String item) {
        String text = item == null ? "" : item;
        items.add(text);
        hash += text.hashCode() * items.size();
        return this;
    }

    public boolean removeLast() {
        if (items.isEmpty()) {
            return false;
        }
        items.remove(items.size() - 1);
        return true;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Basket && items.equals(((Basket) o).items);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
