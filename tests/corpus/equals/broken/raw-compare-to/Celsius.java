package lab;

/** equals calls compareTo, which casts whatever comes. */
public class Celsius implements Comparable<Celsius> {
    private final int tenths;

    public Celsius(int tenths) {
        this.tenths = tenths;
    }

    @Override
    public int compareTo(Celsius c) {
        return Integer.compare(tenths, c.tenths);
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public boolean equals(Object o) {
        return o instanceof Comparable && ((Comparable) this).compareTo(o) == 0;
    }

    @Override
    public int hashCode() {
        return tenths;
    }
}
