package geom;

/** The compact constructor orders the ends, so that direction does not matter. */
public record Segment(int from, int to) implements Comparable<Segment> {
    public Segment {
        if (from > to) {
            int t = from;
            from = to;
            to = t;
        }
    }

    public long length() {
        return (long) to - from;
    }

    @Override
    public int compareTo(Segment s) {
        int order = Integer.compare(from, s.from);
        return order != 0 ? order : Integer.compare(to, s.to);
    }
}
