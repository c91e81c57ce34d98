package rel;

import java.util.Arrays;

public final class Release implements Comparable<Release> {
    private final int[] parts;

    public Release(int... parts) {
        this.parts = parts.clone();
    }

    @Override
    public int compareTo(Release r) {
        int n = Math.max(parts.length, r.parts.length);
        for (int i = 0; i < n; i++) {
            int a = i < parts.length ? parts[i] : 0;
            int b = i < r.parts.length ? r.parts[i] : 0;
            if (a != b) {
                return a < b ? -1 : 1;
            }
        }
        return 0;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Release && Arrays.equals(parts, ((Release) o).parts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(parts);
    }
}
