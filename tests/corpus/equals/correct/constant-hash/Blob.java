package odd;

import java.util.Arrays;

/** A constant hash is poor, not wrong. */
public class Blob {
    private byte[] data = {};

    public void append(byte b) {
        data = Arrays.copyOf(data, data.length + 1);
        data[data.length - 1] = b;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Blob && Arrays.equals(data, ((Blob) o).data);
    }

    @Override
    public int hashCode() {
        return 42;
    }
}
