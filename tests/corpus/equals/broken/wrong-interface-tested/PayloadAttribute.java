package attr;

import java.util.Arrays;

public final class PayloadAttribute implements Payload {
    private byte[] data;

    public PayloadAttribute(byte... data) {
        this.data = data == null ? null : data.clone();
    }

    @Override
    public byte[] bytes() {
        return data;
    }

    @Override
    public boolean equals(Object other) {
        if (other == this) {
            return true;
        }
        if (other instanceof Payload) {
            PayloadAttribute o = (PayloadAttribute) other;
            return Arrays.equals(data, o.data);
        }
        return false;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(data);
    }
}
