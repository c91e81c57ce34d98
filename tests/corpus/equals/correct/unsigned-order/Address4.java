package net;

/** The order is unsigned, and agrees with equals. */
public final class Address4 implements Comparable<Address4> {
    private final int bits;
    private final byte prefix;

    public Address4(int bits, byte prefix) {
        this.bits = bits;
        this.prefix = prefix;
    }

    @Override
    public int compareTo(Address4 a) {
        if (bits != a.bits) {
            return bits + Integer.MIN_VALUE < a.bits + Integer.MIN_VALUE ? -1 : 1;
        }
        return (prefix & 0xff) - (a.prefix & 0xff);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Address4 && compareTo((Address4) o) == 0;
    }

    @Override
    public int hashCode() {
        return bits ^ prefix << 24;
    }
}
