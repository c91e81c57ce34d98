package time;

/** Adds nanoseconds; its hash is inherited on purpose. */
public class Stamp extends Instant2 {
    private final int nanos;

    public Stamp(long seconds, int nanos) {
        super(seconds);
        this.nanos = nanos;
    }

    @Override
    public boolean equals(Object o) {
        if (o instanceof Stamp) {
            return super.equals(o) && nanos == ((Stamp) o).nanos;
        }
        return false;
    }
}
