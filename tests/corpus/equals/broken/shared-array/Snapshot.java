package state;

import java.util.Arrays;

/** Keeps the caller's array; the hash of the day of construction goes stale when he writes to it. */
public final class Snapshot {
    private final int[] values;
    private final int hash;

    public Snapshot(int[] values) {
        this.values = values == null ? new int[0] : values;
        this.hash = Arrays.hashCode(this.values);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Snapshot && Arrays.equals(values, ((Snapshot) o).values);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
