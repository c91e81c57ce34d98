package school;

/** Subtracting is safe here: a short, a char and a byte always fit in the int. */
public final class Grade implements Comparable<Grade> {
    private final short points;
    private final char mark;
    private final byte term;

    public Grade(short points, char mark, byte term) {
        this.points = points;
        this.mark = mark;
        this.term = term;
    }

    @Override
    public int compareTo(Grade g) {
        int d = term - g.term;
        if (d == 0) {
            d = points - g.points;
        }
        return d == 0 ? mark - g.mark : d;
    }

    @Override
    public boolean equals(Object o) {
        if (o instanceof Grade g) {
            return points == g.points && mark == g.mark && term == g.term;
        }
        return false;
    }

    @Override
    public int hashCode() {
        return (points * 31 + mark) * 31 + term;
    }
}
