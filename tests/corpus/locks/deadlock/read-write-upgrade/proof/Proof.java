import dns.NameCache;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        NameCache cache = new NameCache();
        Race.loop(() -> cache.resolve("nowhere"));
    }
}
