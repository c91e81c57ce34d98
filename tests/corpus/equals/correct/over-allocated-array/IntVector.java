package nums;

/** The array is longer than what is in use; what lies behind is old rubbish. */
public final class IntVector {
    private int[] items = new int[4];
    private int size;

    public IntVector add(int item) {
        if (size == items.length) {
            int[] wider = new int[2 * size];
            System.arraycopy(items, 0, wider, 0, size);
            items = wider;
        }
        items[size++] = item;
        return this;
    }

    public int removeLast() {
        if (size == 0) {
            throw new IllegalStateException("empty");
        }
        return items[--size];
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof IntVector)) {
            return false;
        }
        IntVector v = (IntVector) o;
        if (size != v.size) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            if (items[i] != v.items[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int h = size;
        for (int i = 0; i < size; i++) {
            h = h * 31 + items[i];
        }
        return h;
    }
}
