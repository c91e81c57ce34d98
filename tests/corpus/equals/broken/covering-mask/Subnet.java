package net;

/** Says equal when it covers the other. */
public final class Subnet {
    private final int mask;

    public Subnet(int mask) {
        this.mask = mask;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Subnet)) {
            return false;
        }
        Subnet s = (Subnet) o;
        return (mask & s.mask) == s.mask;
    }

    @Override
    public int hashCode() {
        return 1;
    }
}
