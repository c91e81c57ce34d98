package crypt;

/** Takes anything with the same hash for equal. */
public final class Fingerprint {
    private final int value;

    public Fingerprint(int value) {
        this.value = value;
    }

    @Override
    public boolean equals(Object o) {
        return o != null && hashCode() == o.hashCode();
    }

    @Override
    public int hashCode() {
        return value;
    }
}
