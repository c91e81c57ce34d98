package lab;

/** Compares doubles by ==, which is fine here: an object equals itself first, and the hash merges the zeros. */
public final class Sample {
    private final double value;
    private final long time;

    public Sample(double value, long time) {
        this.value = value;
        this.time = time;
    }

    @Override
    public boolean equals(Object o) {
        if (o == this) {
            return true;
        }
        if (!(o instanceof Sample)) {
            return false;
        }
        Sample s = (Sample) o;
        return value == s.value && time == s.time;
    }

    @Override
    public int hashCode() {
        long bits = value == 0 ? 0 : Double.doubleToLongBits(value);
        return (int) (bits ^ bits >>> 32) + (int) time;
    }
}
