package widget;

import java.util.ArrayList;
import java.util.List;

/** All structure is guarded by one tree lock, handed out to whoever asks. */
public class Widget {
    private static final Object TREE_LOCK = new Object();

    private final List<Widget> children = new ArrayList<>();
    private Widget parent;
    private boolean visible = true;

    protected final Object treeLock() {
        return TREE_LOCK;
    }

    public void add(Widget child) {
        synchronized (treeLock()) {
            child.parent = this;
            children.add(child);
        }
    }

    public void setVisible(boolean visible) {
        synchronized (treeLock()) {
            this.visible = visible;
            for (Widget child : children) {
                child.parentShown(visible);
            }
        }
    }

    protected void parentShown(boolean shown) {}

    public boolean isShowing() {
        synchronized (treeLock()) {
            return visible && (parent == null || parent.isShowing());
        }
    }
}
