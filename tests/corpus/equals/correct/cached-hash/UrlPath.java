package web;

import java.util.Arrays;

/** The hash is computed at first use and kept; zero means "not yet". */
public final class UrlPath {
    private final String[] segments;
    private int hash;

    public UrlPath(String... segments) {
        this.segments = segments.clone();
    }

    public int depth() {
        return segments.length;
    }

    @Override
    public boolean equals(Object o) {
        if (this == o) {
            return true;
        }
        if (!(o instanceof UrlPath)) {
            return false;
        }
        UrlPath that = (UrlPath) o;
        if (hash != 0 && that.hash != 0 && hash != that.hash) {
            return false;
        }
        return Arrays.equals(segments, that.segments);
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            for (String segment : segments) {
                h = 31 * h + (segment == null ? 0 : segment.hashCode());
            }
            hash = h;
        }
        return h;
    }
}
