package tcp;

/** Serial number arithmetic: before and after go round the circle. */
public record Sequence(int number) implements Comparable<Sequence> {
    public Sequence next() {
        return new Sequence(number + 1);
    }

    @Override
    public int compareTo(Sequence s) {
        return number - s.number;
    }
}
