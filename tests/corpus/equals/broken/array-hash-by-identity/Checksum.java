package io;

import java.util.Arrays;

public final class Checksum {
    private final byte[] digest;
    private final String algorithm;

    public Checksum(String algorithm, byte[] digest) {
        this.algorithm = algorithm == null ? "none" : algorithm;
        this.digest = digest == null ? new byte[0] : digest.clone();
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Checksum)) {
            return false;
        }
        Checksum c = (Checksum) o;
        return algorithm.equals(c.algorithm) && Arrays.equals(digest, c.digest);
    }

    @Override
    public int hashCode() {
        return 31 * algorithm.hashCode() + digest.hashCode();
    }
}
