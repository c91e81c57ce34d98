package codec;

public final class PlainCodec implements Codec {
    private static int created;

    private PlainCodec() {}

    public static PlainCodec create() {
        created++;
        return new PlainCodec();
    }

    @Override
    public byte[] encode(byte[] data) {
        return data.clone();
    }

    public static int created() {
        return created;
    }
}
