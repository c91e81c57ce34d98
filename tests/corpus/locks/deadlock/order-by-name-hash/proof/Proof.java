import files.Folder;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Folder a = new Folder("Aa");
        Folder b = new Folder("BB");
        Race.loop(() -> a.move("f", b), () -> b.move("f", a));
    }
}
