package attr;

public final class Token implements Payload {
    private final byte[] bytes;

    public Token(byte... bytes) {
        this.bytes = bytes.clone();
    }

    @Override
    public byte[] bytes() {
        return bytes.clone();
    }
}
