package registry;

import java.util.HashMap;
import java.util.Map;

public final class Metrics {
    private final Map<String, Integer> counts = new HashMap<>();

    void count(String name) {
        synchronized (counts) {
            counts.merge(name, 1, Integer::sum);
        }
    }

    /** A line per service, with the size of the registry at the end. */
    public String render(Registry registry) {
        StringBuilder out = new StringBuilder();
        Runnable body = () -> {
            counts.forEach((name, n) -> out.append(name).append('=').append(n).append('\n'));
            out.append(registry.size());
        };
        synchronized (counts) {
            body.run();
        }
        return out.toString();
    }
}
