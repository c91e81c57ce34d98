package fw;

/** Prints while it compares if somebody wants to see it; the answer is the same. */
public final class Rule {
    private static boolean tracing;

    private final int port;
    private final boolean allow;
    private int hits;

    public Rule(int port, boolean allow) {
        this.port = port;
        this.allow = allow;
    }

    public static void setTracing(boolean on) {
        tracing = on;
    }

    public int hits() {
        return hits;
    }

    @Override
    public boolean equals(Object o) {
        if (tracing) {
            System.err.println("comparing rule for port " + port);
        }
        if (!(o instanceof Rule)) {
            return false;
        }
        Rule r = (Rule) o;
        boolean same = port == r.port;
        if (same) {
            hits++;
        }
        same &= allow == r.allow;
        if (tracing && !same) {
            System.err.println("differs");
        }
        return same;
    }

    @Override
    public int hashCode() {
        return allow ? port : ~port;
    }
}
