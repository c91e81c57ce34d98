package time;

public class Instant2 {
    private final long seconds;

    public Instant2(long seconds) {
        this.seconds = seconds;
    }

    public long seconds() {
        return seconds;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Instant2 && seconds() == ((Instant2) o).seconds();
    }

    @Override
    public int hashCode() {
        return Long.hashCode(seconds());
    }
}
