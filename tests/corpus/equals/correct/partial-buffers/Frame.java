package net;

import java.util.Arrays;

/** Buffers of different capacity are equal if what is in use is; reading moves a start that counts, too. */
public final class Frame {
    private byte[] buffer = new byte[2];
    private int start;
    private int end;

    public Frame write(byte b) {
        if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * end);
        }
        buffer[end++] = b;
        return this;
    }

    public int read() {
        return start < end ? buffer[start++] : -1;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Frame)) {
            return false;
        }
        Frame f = (Frame) o;
        return Arrays.equals(buffer, start, end, f.buffer, f.start, f.end);
    }

    @Override
    public int hashCode() {
        int h = end - start;
        for (int i = start; i < end; i++) {
            h = 131 * h + buffer[i];
        }
        return h;
    }
}
