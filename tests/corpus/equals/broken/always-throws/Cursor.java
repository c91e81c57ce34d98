package db;

public class Cursor {
    private final int position;

    public Cursor(int position) {
        this.position = position;
    }

    @Override
    public boolean equals(Object o) {
        throw new UnsupportedOperationException("cursors are not values");
    }

    @Override
    public int hashCode() {
        return position;
    }
}
