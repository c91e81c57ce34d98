package crypt;

import java.util.Arrays;

/** Compares its own array with a copy of the other's. */
public class KeyId {
    private final byte[] octets;

    public KeyId(byte[] octets) {
        this.octets = octets.clone();
    }

    public byte[] octets() {
        return octets.clone();
    }

    @Override
    public boolean equals(Object o) {
        if (this == o) {
            return true;
        }
        if (!(o instanceof KeyId)) {
            return false;
        }
        byte[] mine = Arrays.copyOf(octets, octets.length);
        return Arrays.equals(mine, ((KeyId) o).octets());
    }

    @Override
    public int hashCode() {
        int h = 0;
        for (int i = 0; i < octets.length; i++) {
            h += octets[i] * i;
        }
        return h;
    }
}
