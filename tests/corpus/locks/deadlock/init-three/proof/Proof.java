import support.Race;

public class Proof {
    public static void main(String[] args) throws Exception {
        Race.initialise("codec.Charsets", "codec.Decoders", "codec.Tables");
    }
}
