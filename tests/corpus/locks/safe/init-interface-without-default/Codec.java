package codec;

/** No default method: initialising an implementing class does not initialise this interface. */
public interface Codec {
    Codec IDENTITY = PlainCodec.create();

    byte[] encode(byte[] data);

    static boolean isIdentity(Codec codec) {
        return codec == IDENTITY;
    }
}
