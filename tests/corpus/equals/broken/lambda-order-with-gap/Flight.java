package air;

import java.util.Comparator;

/** The chain skips a key when it is missing on one side. */
public final class Flight implements Comparable<Flight> {
    private static final Comparator<Flight> ORDER = ((Comparator<Flight>) (a, b) ->
            a.gate == null || b.gate == null ? 0 : a.gate.compareTo(b.gate)).thenComparingInt(f -> f.number);

    private final String gate;
    private final int number;

    public Flight(String gate, int number) {
        this.gate = gate;
        this.number = number;
    }

    @Override
    public int compareTo(Flight f) {
        return ORDER.compare(this, f);
    }
}
