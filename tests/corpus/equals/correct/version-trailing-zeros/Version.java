package rel;

/** 1.0 and 1.0.0 are the same release. */
public final class Version implements Comparable<Version> {
    private final int[] parts;

    public Version(int... parts) {
        this.parts = parts.clone();
    }

    private int part(int i) {
        return i < parts.length ? parts[i] : 0;
    }

    @Override
    public int compareTo(Version v) {
        int n = Math.max(parts.length, v.parts.length);
        for (int i = 0; i < n; i++) {
            int order = Integer.compare(part(i), v.part(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Version && compareTo((Version) o) == 0;
    }

    @Override
    public int hashCode() {
        int last = parts.length;
        while (last > 0 && parts[last - 1] == 0) {
            last--;
        }
        int h = 0;
        for (int i = 0; i < last; i++) {
            h = h * 31 + parts[i];
        }
        return h;
    }
}
