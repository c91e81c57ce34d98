package registry;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

public final class Registry {
    private final Object guard = new Object();
    private final Map<String, Object> services = new HashMap<>();
    private final Metrics metrics;

    public Registry(Metrics metrics) {
        this.metrics = metrics;
    }

    private <T> T locked(Supplier<T> work) {
        synchronized (guard) {
            return work.get();
        }
    }

    public Object lookup(String name, Function<String, Object> factory) {
        Object known = locked(() -> services.get(name));
        if (known != null) {
            return known;
        }
        Object made = factory.apply(name);
        locked(() -> {
            metrics.count(name);
            return services.put(name, made);
        });
        return made;
    }

    public int size() {
        return locked(services::size);
    }
}
