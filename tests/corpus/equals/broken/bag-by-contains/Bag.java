package ds;

/** Compares as if there were no duplicates, but there are. */
public final class Bag {
    private int[] items = new int[8];
    private int size;

    public Bag add(int item) {
        if (size == items.length) {
            items = java.util.Arrays.copyOf(items, size * 2);
        }
        items[size++] = item;
        return this;
    }

    private boolean contains(int item) {
        for (int i = 0; i < size; i++) {
            if (items[i] == item) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Bag)) {
            return false;
        }
        Bag b = (Bag) o;
        if (size != b.size) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (!b.contains(items[i])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return size;
    }
}
