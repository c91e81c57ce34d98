package bus;

import java.util.ArrayList;
import java.util.List;

/** Listeners are called with no lock held, on a copy taken under the lock. */
public final class Topic {
    public interface Listener {
        void changed(int version);
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
            listeners.removeIf(known -> known == listener);
        }
    }

    public void publish() {
        Listener[] copy;
        int now;
        synchronized (listeners) {
            now = ++version;
            copy = listeners.toArray(new Listener[0]);
        }
        for (Listener listener : copy) {
            listener.changed(now);
        }
    }
}
