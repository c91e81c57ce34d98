import docs.Outline;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Outline a = new Outline().add("x");
        Outline b = new Outline().add("y");
        Race.loop(() -> {
            a.absorb(b);
            a.trim(1);
        }, () -> {
            b.absorb(a);
            b.trim(1);
        });
    }
}
