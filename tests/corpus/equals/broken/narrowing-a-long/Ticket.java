package shop;

public final class Ticket implements Comparable<Ticket> {
    private final long number;

    public Ticket(long number) {
        this.number = number;
    }

    @Override
    public int compareTo(Ticket t) {
        return (int) (number - t.number);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Ticket t && number == t.number;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }
}
