package bus;

public class CachedView implements EventBus.Listener {
    private final EventBus bus;
    private String topic;
    private int seen;
    private boolean open;

    public CachedView(EventBus bus) {
        this.bus = bus;
    }

    public synchronized void open() {
        if (!open) {
            open = true;
            bus.subscribe(this);
        }
    }

    public synchronized void dispose() {
        if (open) {
            open = false;
            bus.unsubscribe(this);
        }
    }

    @Override
    public void changed(String topic, int version) {
        synchronized (this) {
            if (version > seen) {
                this.topic = topic;
                this.seen = version;
            }
        }
    }

    public synchronized String last() {
        return topic + "@" + seen;
    }
}
