import support.Race;
import ui.Panel;

public class Proof {
    public static void main(String[] args) {
        Panel root = new Panel(null);
        Panel leaf = new Panel(root);
        Race.loop(() -> root.layout(10), leaf::invalidate);
    }
}
