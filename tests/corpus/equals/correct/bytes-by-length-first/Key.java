package kv;

/** Shorter keys come first, then unsigned bytes; equals and the order agree. */
public final class Key implements Comparable<Key> {
    private final byte[] bytes;

    public Key(byte... bytes) {
        this.bytes = bytes.clone();
    }

    @Override
    public int compareTo(Key k) {
        int order = bytes.length - k.bytes.length;
        for (int i = 0; order == 0 && i < bytes.length; i++) {
            order = (bytes[i] & 0xff) - (k.bytes[i] & 0xff);
        }
        return order;
    }

    @Override
    public boolean equals(Object o) {
        if (o == this) {
            return true;
        }
        if (!(o instanceof Key) || ((Key) o).bytes.length != bytes.length) {
            return false;
        }
        int different = 0;
        byte[] other = ((Key) o).bytes;
        for (int i = 0; i < bytes.length; i++) {
            different |= bytes[i] ^ other[i];
        }
        return different == 0;
    }

    @Override
    public int hashCode() {
        int h = 0;
        for (byte b : bytes) {
            h = h << 7 ^ h >>> 25 ^ b;
        }
        return h;
    }
}
