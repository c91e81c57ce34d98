package net;

/** Compared by a text that is made at first use and that no two different routes share. */
public final class Route {
    private final int from;
    private final int to;
    private final boolean secure;
    private transient String text;

    public Route(int from, int to, boolean secure) {
        this.from = from;
        this.to = to;
        this.secure = secure;
    }

    @Override
    public String toString() {
        String t = text;
        if (t == null) {
            t = from + ">" + to + (secure ? "!" : "");
            text = t;
        }
        return t;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Route && toString().equals(o.toString());
    }

    @Override
    public int hashCode() {
        return from * 31 + to + (secure ? 1 : 0);
    }
}
