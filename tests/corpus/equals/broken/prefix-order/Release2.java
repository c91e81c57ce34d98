package rel;

/** Compares the parts that both have and calls the rest a tie. */
public final class Release2 implements Comparable<Release2> {
    private final int[] parts;

    public Release2(int... parts) {
        this.parts = parts.clone();
    }

    @Override
    public int compareTo(Release2 r) {
        int n = Math.min(parts.length, r.parts.length);
        for (int i = 0; i < n; i++) {
            if (parts[i] != r.parts[i]) {
                return Integer.compare(parts[i], r.parts[i]);
            }
        }
        return 0;
    }
}
