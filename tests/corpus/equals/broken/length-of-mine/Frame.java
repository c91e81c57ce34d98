package net;

/** Compares as many bytes as this one has in use, whatever the other has. */
public final class Frame {
    private byte[] buffer = new byte[2];
    private int used;

    public Frame write(byte b) {
        if (used == buffer.length) {
            buffer = java.util.Arrays.copyOf(buffer, 2 * used);
        }
        buffer[used++] = b;
        return this;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Frame)) {
            return false;
        }
        Frame f = (Frame) o;
        for (int i = 0; i < used; i++) {
            if (buffer[i] != f.buffer[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return 0;
    }
}
