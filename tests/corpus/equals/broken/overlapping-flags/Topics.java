package feed;

/** Two sets of topics are "equal" when they share one. */
public final class Topics {
    private final int bits;

    public Topics(int bits) {
        this.bits = bits;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Topics && (bits & ((Topics) o).bits) != 0;
    }

    @Override
    public int hashCode() {
        return 5;
    }
}
