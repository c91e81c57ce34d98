import registry.Metrics;
import registry.Registry;
import support.Race;

public class Proof {
    static int n;

    public static void main(String[] args) {
        Metrics metrics = new Metrics();
        Registry registry = new Registry(metrics);
        Race.loop(() -> registry.lookup("s" + (n = (n + 1) % 50), k -> null), () -> metrics.render(registry));
    }
}
