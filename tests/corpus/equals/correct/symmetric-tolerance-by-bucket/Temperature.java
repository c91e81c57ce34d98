package lab;

/** Equal within the same tenth of a degree: a bucket, not a tolerance, so it is transitive. */
public final class Temperature implements Comparable<Temperature> {
    private final double celsius;

    public Temperature(double celsius) {
        this.celsius = celsius;
    }

    private long bucket() {
        return Math.round(celsius * 10);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Temperature && bucket() == ((Temperature) o).bucket();
    }

    @Override
    public int hashCode() {
        return (int) bucket() * 31;
    }

    @Override
    public int compareTo(Temperature t) {
        return Long.compare(bucket(), t.bucket());
    }
}
