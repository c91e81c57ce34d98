import graph.Vertex;
import support.Race;

public class Proof {
    public static void main(String[] args) {
        Vertex a = new Vertex(1);
        Vertex b = new Vertex(1);
        Race.loop(() -> a.connect(b), () -> b.connect(a));
    }
}
