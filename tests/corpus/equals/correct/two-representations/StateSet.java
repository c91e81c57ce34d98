package dtd;

/** Up to 64 bits in a field, more in an array; which one is decided once. */
public final class StateSet {
    private final int bits;
    private long small;
    private final byte[] large;

    public StateSet(int bits) {
        if (bits < 0 || bits > 4096) {
            throw new IllegalArgumentException("bits " + bits);
        }
        this.bits = bits;
        this.large = bits > 64 ? new byte[(bits + 7) / 8] : null;
    }

    public StateSet set(int bit) {
        if (bit < 0 || bit >= bits) {
            throw new IndexOutOfBoundsException("bit " + bit);
        }
        if (large == null) {
            small |= 1L << bit;
        } else {
            large[bit >> 3] |= 1 << (bit & 7);
        }
        return this;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof StateSet)) {
            return false;
        }
        StateSet s = (StateSet) o;
        if (bits != s.bits) {
            return false;
        }
        if (bits < 65) {
            return small == s.small;
        }
        for (int i = large.length - 1; i >= 0; i--) {
            if (large[i] != s.large[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        if (bits < 65) {
            return (int) (small ^ small >>> 32);
        }
        int h = 0;
        for (int i = large.length - 1; i >= 0; i--) {
            h = large[i] + h * 31;
        }
        return h;
    }
}
