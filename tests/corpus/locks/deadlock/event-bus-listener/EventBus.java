package bus;

import java.util.ArrayList;
import java.util.List;

public class EventBus {
    public interface Listener {
        void changed(String topic, int version);
    }

    private final List<Listener> listeners = new ArrayList<>();
    private int version;

    public void subscribe(Listener listener) {
        synchronized (listeners) {
            listeners.add(listener);
        }
    }

    public void unsubscribe(Listener listener) {
        synchronized (listeners) {
            listeners.remove(listener);
        }
    }

    public void publish(String topic) {
        synchronized (listeners) {
            version++;
            for (Listener listener : listeners) {
                listener.changed(topic, version);
            }
        }
    }
}
