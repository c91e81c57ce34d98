public final class Stack {
    public static final class Cell {
        public int value;
        public Cell below;
    }

    public Cell top;
    public int size;

    public int peekAfter(int value) {
        Cell c = new Cell();
        c.value = value;
        c.below = top;
        top = c;
        size++;
        int seen = top.value;
        top = top.below;
        size--;
        return seen;
    }
}
