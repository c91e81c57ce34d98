package bus;

public final class View implements Topic.Listener {
    private final Topic topic;
    private int seen;
    private boolean open;

    public View(Topic topic) {
        this.topic = topic;
    }

    public synchronized void open() {
        if (!open) {
            open = true;
            topic.subscribe(this);
        }
    }

    public synchronized void close() {
        open = false;
        topic.unsubscribe(this);
    }

    @Override
    public synchronized void changed(int version) {
        seen = Math.max(seen, version);
    }

    public synchronized int seen() {
        return seen;
    }
}
