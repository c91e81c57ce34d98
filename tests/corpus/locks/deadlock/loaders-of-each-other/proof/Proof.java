import cache.Directory;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Directory directory = new Directory();
        Race.loop(() -> directory.name(1), () -> directory.number("x"));
    }
}
