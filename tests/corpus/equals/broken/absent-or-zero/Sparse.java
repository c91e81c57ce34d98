package stat;

/** A missing count is as good as zero for equals, not for the hash. */
public final class Sparse {
    private final int[] counts = new int[4];
    private int present;

    public Sparse put(int i, int count) {
        counts[i & 3] = count;
        present |= 1 << (i & 3);
        return this;
    }

    private int count(int i) {
        return (present & 1 << i) == 0 ? 0 : counts[i];
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Sparse)) {
            return false;
        }
        for (int i = 0; i < 4; i++) {
            if (count(i) != ((Sparse) o).count(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int h = present;
        for (int i = 0; i < 4; i++) {
            h = 31 * h + count(i);
        }
        return h;
    }
}
