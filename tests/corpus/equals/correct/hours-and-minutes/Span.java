package time;

/** Two numbers, one meaning: ninety minutes are an hour and a half. */
public final class Span implements Comparable<Span> {
    private final int hours;
    private final int minutes;

    public Span(int hours, int minutes) {
        this.hours = hours;
        this.minutes = minutes;
    }

    private long total() {
        return hours * 60L + minutes;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Span && ((Span) o).total() == total();
    }

    @Override
    public int hashCode() {
        return Long.hashCode(total());
    }

    @Override
    public int compareTo(Span s) {
        return Long.signum(total() - s.total());
    }
}
